// Fails when one of many results of one name is lost, replaces another file, gets a name that some system refuses, or could be lost later.
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checkOrder } from '../support/order-oracle.ts';
import { straceArguments } from '../support/parse-trace.ts';
import { checkQueue } from '../support/queue/check-queue.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import type { QueueOrder } from '../support/queue/queue-order.ts';
import { spawnQueue } from '../support/queue/spawn-queue.ts';
import { must, type Scenario } from '../support/scenario.ts';

const concurrency = 4;
const maxNameBytes = 255;
/** 250 bytes: there is no room for a number behind it. */
const longName = `${'å'.repeat(123)}.wav`;

/** Windows is the strictest: what it takes every system takes (Microsoft, "Naming Files, Paths, and Namespaces"). */
const isLegal = (name: string): boolean =>
  Buffer.byteLength(name) <= maxNameBytes && !/[<>:"/\\|?*\p{Cc}]/u.test(name) && !/[. ]$/.test(name);

export const scenario: Scenario = {
  id: 'Q11',
  title: 'fifty recordings of one name give fifty results, each safe on disk',
  async run(context) {
    const engine = await context.startEngine();
    const proxy = await context.startProxy({ target: engine.origin });
    const { folder } = context;
    const jobs = 50;
    const long = context.size(4, 50);
    const [sound = ''] = await makeSources(join(folder, 'sound'), 1);
    const sources: string[] = [];
    for (let k = 0; k < jobs + long; k += 1) {
      const path = join(folder, 'in', String(k), k < jobs ? 'take.wav' : longName);
      await mkdir(join(path, '..'), { recursive: true });
      await copyFile(sound, path);
      sources.push(path);
    }
    const outputFolder = join(folder, 'out');
    await mkdir(outputFolder);
    const aliens = ['take.wav', 'take (7).wav'].map((name) => join(outputFolder, name));
    for (const alien of aliens) await writeFile(alien, `somebody’s ${basename(alien)}`);
    const limits = {
      maxUploadBytes: null,
      maxTextLength: null,
      maxSeconds: null,
      maxConcurrent: concurrency,
      requestsPerMinute: null,
    };
    const file = join(folder, 'connection.json');
    await writeFile(file, JSON.stringify(proxy.document({ limits })));

    const trace = join(folder, 'trace');
    const order: QueueOrder = {
      dataFolder: join(folder, 'data'),
      outputFolder,
      remote: { file, token: engine.token },
      sources,
      texts: [],
      crash: null,
      stays: true,
    };
    context.note('converting under strace');
    const queue = spawnQueue(context, order, ['strace', ...straceArguments(trace)], { UV_USE_IO_URING: '0' });
    await queue.ended;
    await queue.leave();

    const { done } = await checkQueue({
      ...order,
      engineFolder: engine.dataDirectory,
      jobs: sources.length,
      mayBeUncertain: false,
      aliens,
    });
    for (const alien of aliens) {
      must((await readFile(alien, 'utf8')) === `somebody’s ${basename(alien)}`, `${alien} is no longer what it was`);
    }
    const names = await readdir(outputFolder);
    must(names.length === sources.length + aliens.length, `${names.length} files`);
    const illegal = names.find((name) => !isLegal(name));
    must(illegal === undefined, `a name that is not legal everywhere: ${illegal ?? ''}`);
    const report = checkOrder(await readFile(trace, 'utf8'), { outputFolder });
    must(report.violations.length === 0, report.violations[0] ?? '');
    must(report.publishes === sources.length, `${report.publishes} names were given to ${sources.length} results`);
    return {
      outputs: done,
      'longest name': Math.max(...names.map((name) => Buffer.byteLength(name))),
      publishes: report.publishes,
      violations: report.violations.length,
    };
  },
};
