// Fails when an error of the file system leaves half a file, is called something else, or costs a second conversion.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/main/core/clock.ts';
import { createConnectionRegistry } from '../../../src/main/core/connections/connection-registry.ts';
import { readFileConnection } from '../../../src/main/core/connections/connection-file.ts';
import { openQueue } from '../../../src/main/core/jobs/open-queue.fixture.ts';
import { settled } from '../../../src/main/core/jobs/wait-for-jobs.ts';
import { createHttp } from '../../../src/main/core/voice-service/http.ts';
import type { ErrorCode } from '../../../src/shared/errors.ts';
import { checkQueue } from '../support/queue/check-queue.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import type { CrashPoint, QueueOrder } from '../support/queue/queue-order.ts';
import { readRows } from '../support/queue/read-rows.ts';
import { runQueue } from '../support/queue/run-queue.ts';
import { spawnQueue } from '../support/queue/spawn-queue.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

interface Injection {
  readonly name: string;
  readonly calls: string;
  readonly error: string;
  /** As strace counts; left out: each time. */
  readonly when?: string;
  /** Default: the temporary file. */
  readonly at?: 'folder';
  /** What the job fails with; null: it gets over it by itself. */
  readonly code: ErrorCode | null;
  /** Left out: a conversion, whose result is fetched. */
  readonly isSpeech?: true;
  /** Killed once the sound of the reply is safe, before it has its name. */
  readonly isKilled?: true;
}

const writes = 'write,pwrite64,writev,pwritev';
const links = 'link,linkat';
const injections: readonly Injection[] = [
  { name: 'fsync fails', calls: 'fsync', error: 'EIO', code: 'output/failed' },
  { name: 'fsync of the folder fails', calls: 'fsync', error: 'EIO', at: 'folder', code: 'output/failed' },
  { name: 'a write fails', calls: writes, error: 'EIO', when: '1', code: 'output/failed' },
  { name: 'a link leads to another device', calls: links, error: 'EXDEV', code: 'output/failed' },
  { name: 'there are no links', calls: links, error: 'EPERM', code: null },
  { name: 'too many files are open', calls: 'openat', error: 'EMFILE', when: '1..2', code: null },
  { name: 'the folder cannot be written to', calls: 'openat', error: 'EACCES', code: 'output/not-writable' },
  { name: 'the disk is read-only for a while', calls: 'openat', error: 'EROFS', when: '1', code: null },
  { name: 'the disk is full', calls: writes, error: 'ENOSPC', when: '1', code: null },
  { name: 'the disk turns out to be full', calls: 'fsync', error: 'ENOSPC', when: '1', code: null },
  { name: 'the quota of the disk is used up', calls: writes, error: 'EDQUOT', when: '1', code: null },
];

/** The sound is in the reply, and nowhere else. */
const speechInjections: readonly Injection[] = [
  { name: 'fsync of speech fails', calls: 'fsync', error: 'EIO', code: 'output/failed' },
  { name: 'fsync of speech fails once', calls: 'fsync', error: 'EIO', when: '1', code: null },
  { name: 'fsync of the folder of speech fails', calls: 'fsync', error: 'EIO', at: 'folder', code: 'output/failed' },
  { name: 'a write of speech fails', calls: writes, error: 'EIO', code: 'output/failed' },
  { name: 'a write of speech fails once', calls: writes, error: 'ESTALE', when: '1', code: null },
  { name: 'the disk is full for speech', calls: writes, error: 'ENOSPC', when: '1..2', code: null },
  { name: 'the folder of speech is read-only for a while', calls: 'openat', error: 'EROFS', when: '2..3', code: null },
  { name: 'a link of speech leads to another device', calls: links, error: 'EXDEV', code: 'output/failed' },
  { name: 'fsync of speech fails before a kill', calls: 'fsync', error: 'EIO', code: null, isKilled: true },
  { name: 'a write of speech fails before a kill', calls: writes, error: 'EIO', code: null, isKilled: true },
].map((injection) => ({ ...injection, isSpeech: true }) as Injection);

/** strace counts for each thread: with one of them it is known how often a call fails. */
const environment = { UV_USE_IO_URING: '0', UV_THREADPOOL_SIZE: '1' };

async function retry({ dataFolder }: QueueOrder, file: string, token: string): Promise<void> {
  const http = createHttp();
  const queue = await openQueue({
    dataFolder,
    clock: systemClock,
    random: Math.random,
    connections: createConnectionRegistry(http, [await readFileConnection(file, token)]),
    role: 'app',
    onProgress: () => undefined,
    onDefect: (error) => {
      throw error;
    },
  });
  queue.scheduler.start();
  const ids = queue.store.page(null, -1).map(({ id }) => id);
  ids.forEach(queue.scheduler.retry);
  await settled(queue.store, ids);
  await queue.stop();
  await http.close();
}

async function inject(context: ScenarioContext, engine: EngineProcess, source: string, injection: Injection) {
  const { name, calls, error, when, at, code, isSpeech = false, isKilled = false } = injection;
  context.note(name);
  const folder = join(context.folder, name.replaceAll(' ', '-'));
  const proxy = await context.startProxy({ target: engine.origin, delivery: isSpeech ? 'body' : 'address' });
  const file = join(context.folder, `${name}.json`);
  await writeFile(file, JSON.stringify(proxy.document({ unknownOutcome: 'ask' })));
  const order: QueueOrder = {
    dataFolder: join(folder, 'data'),
    outputFolder: join(folder, 'out'),
    remote: { file, token: engine.token },
    sources: isSpeech ? [] : [source],
    texts: isSpeech ? ['Good evening.'] : [],
    crash: null,
    stays: true,
  };
  // Up to the result, or the call for speech; the next process fetches it, and by then it is known what its file will be called.
  const before: CrashPoint = isSpeech
    ? { state: 'converting', moment: 'before' }
    : { state: 'converted', moment: 'after' };
  must((await runQueue(context, { ...order, crash: before })) === 'killed', `${name}: it was not stopped before`);
  const id = String(readRows(order.dataFolder).jobs[0]?.['id']);
  const temporaryPath = join(order.outputFolder, `.timbre-${id}.part`);
  const path = at === 'folder' ? order.outputFolder : temporaryPath;
  const log = join(context.folder, 'trace');
  const rule = `${calls}:error=${error}${when === undefined ? '' : `:when=${when}`}`;
  const strace = ['strace', '-f', '-qq', '-o', log, '-e', `trace=${calls}`, '-e', `inject=${rule}`, '-P', path];
  const crash: CrashPoint | null = isKilled ? { state: 'converted', moment: 'after' } : null;
  const queue = spawnQueue(context, { ...order, crash }, strace, environment);
  await queue.ended.catch((reason: unknown) => {
    if (!isKilled) throw reason;
  });
  await queue.leave();
  must((await readFile(log, 'utf8')).includes('(INJECTED)'), `${name}: nothing was injected`);

  const [job] = readRows(order.dataFolder).jobs;
  const files = await readdir(order.outputFolder).catch(() => []);
  if (code !== null) {
    must(job?.['state'] === 'failed', `${name}: ${String(job?.['state'])} instead of failed`);
    const said = (JSON.parse(String(job['problem'])) as { code: string }).code;
    must(said === code, `${name}: called ${said}, not ${code}`);
    const left = files.filter((one) => !isSpeech || join(order.outputFolder, one) !== temporaryPath);
    must(left.length === 0, `${name}: ${left[0] ?? ''} was left`);
    await retry(order, file, engine.token);
  }
  if (isKilled) {
    must(job?.['state'] === 'converted', `${name}: ${String(job?.['state'])} instead of converted`);
    await runQueue(context, { ...order, stays: false });
  }
  await checkQueue({ ...order, engineFolder: engine.dataDirectory, jobs: 1, mayBeUncertain: false });
  for (const operation of isSpeech ? (['speech'] as const) : (['create-task', 'upload', 'convert'] as const)) {
    must(proxy.count({ operation }) === 1, `${name}: ${proxy.count({ operation })} times ${operation}`);
  }
}

export const scenario: Scenario = {
  id: 'Q12b',
  title:
    'a file system error leaves nothing incomplete, and nothing is paid again: a result is downloaded again, and speech in a reply kept',
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1);
    const all = [...injections, ...speechInjections];
    for (const injection of all) await inject(context, engine, source, injection);
    return { injections: all.length };
  },
};
