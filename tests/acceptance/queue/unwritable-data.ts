// Fails when a journal that cannot be written costs a second paid call, loses a paid reply, or keeps the queue standing once it can be.
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { databaseName } from '../../../src/main/core/database/database.ts';
import { testVoice } from '../../../src/main/core/jobs/job.fixture.ts';
import type { ConnectionDocument } from '../../../src/shared/schemas/connection.ts';
import type { FaultProxy } from '../../faults/start-fault-proxy.ts';
import { fillDisk } from '../support/queue/fill-disk.ts';
import { makeSources, makeTexts } from '../support/queue/make-sources.ts';
import { most, paidCalls } from '../support/queue/paid-calls.ts';
import type { QueueOrder } from '../support/queue/queue-order.ts';
import { readRows } from '../support/queue/read-rows.ts';
import { runQueue } from '../support/queue/run-queue.ts';
import { spawnQueue } from '../support/queue/spawn-queue.ts';
import { Failed, must, type Figures, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

type Policy = ConnectionDocument['unknownOutcome'];
type Trouble = 'full' | 'busy';

interface Case {
  readonly name: string;
  readonly trouble: Trouble;
  readonly policy: Policy;
  /** The app's queue, or a command. */
  readonly by: 'app' | 'convert' | 'speech';
}

const cli = fileURLToPath(new URL('../../../out/main/cli.js', import.meta.url));
const limits = {
  maxUploadBytes: null,
  maxTextLength: null,
  maxSeconds: null,
  maxConcurrent: 4,
  requestsPerMinute: null,
};
/** A file system of its own under the data folder, as large as a database with its log and little more. */
const mounted = ['unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs -o size=6m tmpfs "$DATA" && exec "$0" "$@"'];
/** A journal that is tried again without a rest does thousands in this time. */
const heldMs = 3000;

const isPaid = (operation: string) => operation === 'convert' || operation === 'speech';
const countPaid = (proxy: FaultProxy) => proxy.calls.filter(({ operation }) => isPaid(operation)).length;

interface Struck {
  readonly pid: number;
  readonly dataFolder: string;
}

/** Makes the journal unwritable; gives back how it is mended. */
async function strike(trouble: Trouble, { pid, dataFolder }: Struck): Promise<() => Promise<void>> {
  if (trouble === 'full') {
    // Its mounts are private.
    const filler = join(`/proc/${pid}/root`, dataFolder, 'filler');
    await fillDisk(filler);
    return () => rm(filler);
  }
  const other = new DatabaseSync(join(dataFolder, databaseName), { timeout: 5000 });
  other.exec('BEGIN IMMEDIATE');
  return () => {
    other.exec('COMMIT');
    other.close();
    return Promise.resolve();
  };
}

interface Program {
  readonly pid: number;
  readonly ended: Promise<void>;
  leave(): Promise<void>;
}

/** `timbre convert`, or `timbre speak` where there are no recordings, and what it says, under the same prefix as the queue process. */
function startCommand(
  { spawn }: ScenarioContext,
  order: QueueOrder,
  prefix: readonly string[],
  env: NodeJS.ProcessEnv,
): Program & { said(): string } {
  const [command = process.execPath, ...args] = [
    ...prefix,
    process.execPath,
    cli,
    ...(order.sources.length > 0
      ? ['convert', ...order.sources, '--out', order.outputFolder, '--format', '.wav']
      : ['speak', ...order.texts, '--out', join(order.outputFolder, 'spoken.wav'), '--language', 'en-US']),
    ...['--voice', testVoice.id, '--data-dir', order.dataFolder],
    ...['--connection', order.remote?.file ?? '', '--json'],
  ];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Failed(`the command ended with ${String(code)}: ${said.slice(-1500)}`);
  });
  ended.catch(() => undefined);
  return { pid: child.pid ?? 0, ended, said: () => said, leave: () => ended };
}

async function strikeOnce(context: ScenarioContext, engine: EngineProcess, one: Case, size: Size): Promise<number> {
  const { name, trouble, policy, by } = one;
  context.note(name);
  const folder = join(context.folder, name.replaceAll(/\W+/g, '-'));
  const [dataFolder, outputFolder] = [join(folder, 'data'), join(folder, 'out')];
  await mkdir(dataFolder, { recursive: true });
  await mkdir(outputFolder);
  const proxy = await context.startProxy({ target: engine.origin, serviceToken: engine.token });
  const file = join(folder, 'studio.json');
  await writeFile(file, JSON.stringify(proxy.document({ unknownOutcome: policy, limits })));
  const struck = Promise.withResolvers<void>();
  proxy.script(
    (['convert', 'speech'] as const).map((operation) => ({
      operation,
      fault: { kind: 'hold', at: 'reply', until: struck.promise },
    })),
  );
  const order: QueueOrder = {
    dataFolder,
    outputFolder,
    remote: { file, token: 'any' },
    sources: by === 'speech' ? [] : size.sources,
    texts: by === 'app' ? size.texts : by === 'speech' ? size.texts.slice(0, 1) : [],
    crash: null,
    stays: true,
  };
  const env = { DATA: dataFolder, TIMBRE_TOKEN: 'any' };
  const prefix = trouble === 'full' ? mounted : [];
  const command = by === 'app' ? null : startCommand(context, order, prefix, env);
  const program: Program = command ?? spawnQueue(context, order, prefix, env);
  const jobs = order.sources.length + order.texts.length;
  const paid = () => most(paidCalls(proxy.calls));
  await Promise.race([
    proxy.waitFor(({ operation, serviceStatus }) => isPaid(operation) && serviceStatus !== null),
    program.ended.then(() => Promise.reject(new Failed(`${name}: nothing was paid for`))),
  ]);
  const mend = await strike(trouble, { pid: program.pid, dataFolder }).catch(async (error: unknown) => {
    // Where it has ended, it says why.
    await Promise.race([program.ended, sleep(heldMs)]);
    throw error;
  });
  struck.resolve();
  await sleep(heldMs);
  const before = proxy.calls.length;
  must(paid() <= 1, `${name}: ${paid()} paid calls for one recording while the journal could not be written`);
  must(
    countPaid(proxy) <= limits.maxConcurrent,
    `${name}: ${countPaid(proxy)} paid calls, though nothing could be written`,
  );
  if (command) {
    const told = command.said().split('data/not-writable').length - 1;
    must(told >= 1 && told <= 3, `${name}: told ${told} times that the data cannot be written`);
  }
  const mendedMs = performance.now();
  await mend();
  await program.ended;
  const seconds = (performance.now() - mendedMs) / 1000;
  must(paid() === 1 && countPaid(proxy) === jobs, `${name}: ${countPaid(proxy)} paid calls for ${jobs} jobs`);
  const outputs = await readdir(outputFolder);
  must(outputs.length === jobs, `${name}: ${outputs.length} results of ${jobs} jobs`);
  must(before <= 20 + 4 * limits.maxConcurrent, `${name}: ${before} calls before it was mended`);
  await program.leave();
  return seconds;
}

/** Kills what a tracer runs: one that cannot write ends only by that. */
async function killTraced(tracer: number): Promise<void> {
  const children = await readFile(`/proc/${tracer}/task/${tracer}/children`, 'utf8').catch(() => '');
  for (const pid of children.split(' ').filter((one) => one !== '')) process.kill(Number(pid), 'SIGKILL');
}

/** Each write to the log fails from the n-th on: the queue stops, and the next start knows which calls may have been charged. */
async function failFor(context: ScenarioContext, engine: EngineProcess, source: string, first: number): Promise<void> {
  const name = `EIO from write ${first}`;
  context.note(name);
  const folder = join(context.folder, name.replaceAll(' ', '-'));
  await mkdir(folder);
  const proxy = await context.startProxy({ target: engine.origin, serviceToken: engine.token });
  const file = join(folder, 'studio.json');
  await writeFile(file, JSON.stringify(proxy.document({ unknownOutcome: 'ask', limits })));
  const [dataFolder, outputFolder] = [join(folder, 'data'), join(folder, 'out')];
  const order: QueueOrder = {
    dataFolder,
    outputFolder,
    remote: { file, token: 'any' },
    sources: [source],
    texts: [],
    crash: null,
    stays: true,
  };
  // A database that is there: what fails is the work, not the start.
  await runQueue(context, { ...order, sources: [], stays: false });
  const log = `${join(dataFolder, databaseName)}-wal`;
  const strace = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=pwrite64,fsync,fdatasync'];
  const rule = ['-e', `inject=pwrite64,fsync,fdatasync:error=EIO:when=${first}+`, '-P', log];
  const queue = spawnQueue(context, order, [...strace, ...rule], { UV_USE_IO_URING: '0' });
  queue.ended.catch(() => undefined);
  await queue.ready.catch(() => undefined);
  await sleep(heldMs);
  must(countPaid(proxy) <= 1, `${name}: ${countPaid(proxy)} paid calls`);
  must(proxy.calls.length <= 20, `${name}: ${proxy.calls.length} calls in ${heldMs} ms`);
  await killTraced(queue.pid);
  const paid = countPaid(proxy);
  await runQueue(context, { ...order, stays: false });
  const rows = readRows(dataFolder).jobs;
  must(countPaid(proxy) <= 1, `${name}: paid again by the next start`);
  must(paid === 0 || rows.length > 0, `${name}: what was paid for is forgotten`);
  const states = new Set(['done', 'uncertain']);
  must(
    rows.every(({ state }) => states.has(String(state))),
    `${name}: ${rows.map(({ state }) => state).join()}`,
  );
}

interface Size {
  readonly sources: readonly string[];
  readonly texts: readonly string[];
}

export const scenario: Scenario = {
  id: 'Q21',
  title: 'while the journal is not writable nothing is paid twice and replies are kept; all jobs finish afterwards',
  deadlineMs: 900_000,
  fullDeadlineMs: 1_800_000,
  async run(context): Promise<Figures> {
    const engine = await context.startEngine();
    const size: Size = {
      sources: await makeSources(join(context.folder, 'in'), context.size(6, 20)),
      texts: makeTexts(context.size(3, 10)),
    };
    const policies: readonly Policy[] = context.full ? ['ask', 'repeat', 'stop'] : ['ask'];
    const cases = policies.flatMap((policy) =>
      (['full', 'busy'] as const).flatMap((trouble) =>
        (['app', 'convert', 'speech'] as const).map((by) => ({
          name: `${by} ${trouble} ${policy}`,
          trouble,
          policy,
          by,
        })),
      ),
    );
    let slowest = 0;
    for (const one of cases) slowest = Math.max(slowest, await strikeOnce(context, engine, one, size));
    const firsts = context.full ? Array.from({ length: 40 }, (_, k) => k + 1) : [1, 16];
    for (const first of firsts) await failFor(context, engine, size.sources[0] ?? '', first);
    return {
      cases: cases.length + firsts.length,
      jobs: size.sources.length + size.texts.length,
      'most paid calls a job': 1,
      'slowest end after it could be written, s': Math.round(slowest * 10) / 10,
    };
  },
};
