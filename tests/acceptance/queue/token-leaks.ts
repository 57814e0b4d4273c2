// Fails when a token, or the signature of a result's address, is found anywhere but where it is needed.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { answers, tooManyRequests } from '../../faults/answers.ts';
import type { Fault } from '../../faults/fault.ts';
import { makeSources, makeTexts } from '../support/queue/make-sources.ts';
import { openCase } from '../support/queue/open-case.ts';
import type { QueueOrder } from '../support/queue/queue-order.ts';
import { filesWith, holds, processesWith } from '../support/queue/secrets.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

const queueProcess = new URL('../support/queue/queue-process.ts', import.meta.url);
const commandLine = new URL('../../../out/main/cli.js', import.meta.url);
const pollMs = 10;

const faults: readonly Fault[] = [
  { kind: 'drop-before', at: 'headers' },
  { kind: 'drop-after', reset: true },
  { kind: 'cut', in: 'reply-headers' },
  { kind: 'cut', in: 'reply-body' },
  { kind: 'truncate', afterBytes: 5, framing: 'length' },
  { kind: 'truncate', afterBytes: 5, framing: 'chunked' },
  { kind: 'wrong-length', by: 10 },
  { kind: 'html' },
  { kind: 'empty' },
  { kind: 'stall', at: 'headers' },
  { kind: 'stall', at: 'body', afterBytes: 3 },
  { kind: 'redirect', status: 307, location: 'https://elsewhere.test/' },
  { kind: 'gone', status: 404 },
  answers.unauthorized,
  answers.paymentRequired,
  answers.forbidden,
  answers.serverError,
  answers.hiddenError,
  answers.notJson,
  tooManyRequests(1),
];

interface Setting {
  readonly context: ScenarioContext;
  readonly engine: EngineProcess;
  readonly token: string;
  /** Part of every result address. */
  readonly signature: string;
}

/** A process, looked at as long as it lives. Resolves with how many it and those below it were. */
async function watch({ context, token, signature }: Setting, module: URL, args: readonly string[]): Promise<number> {
  const child = context.fork(module, args, {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, TIMBRE_TOKEN: token },
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk));
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  const processes = new Set<number>();
  const leaks = new Set<string>();
  const look = () => {
    const sight = processesWith(child.pid ?? 0, [token, signature]);
    for (const id of sight.seen) processes.add(id);
    for (const place of sight.found) leaks.add(place);
  };
  const timer = setInterval(look, pollMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  must(leaks.size === 0, `${module.pathname}: found in ${[...leaks].join(', ')}`);
  must(!holds(Buffer.concat(said), [token, signature]), `${module.pathname}: it printed a secret`);
  must(!holds(Buffer.from(JSON.stringify(messages)), [token, signature]), `${module.pathname}: it told a secret`);
  must(
    code === 0,
    `${module.pathname} ended with ${code ?? 'a signal'}: ${Buffer.concat(said).toString().slice(-500)}`,
  );
  return processes.size;
}

async function mustHoldNone(what: string, folder: string, secrets: readonly string[]): Promise<void> {
  const found = await filesWith(folder, secrets);
  must(found.length === 0, `${what}: found in ${found.join(', ')}`);
}

/** The queue with faults on its way, and the command line: both with the token in their environment. */
async function processes(setting: Setting): Promise<number> {
  const { context, engine, token, signature } = setting;
  const folder = join(context.folder, 'processes');
  const sources = await makeSources(join(folder, 'in'), context.size(6, 40));
  const proxy = await context.startProxy({
    target: engine.origin,
    serviceToken: engine.token,
    resultQuery: `signature=${signature}`,
  });
  proxy.script([
    { operation: 'create-task', times: 1, fault: { kind: 'drop-after' } },
    { operation: 'convert', times: 2, fault: { kind: 'cut', in: 'reply-body' } },
    { operation: 'download', times: 1, fault: { kind: 'truncate', afterBytes: 100, framing: 'chunked' } },
    { operation: 'download', times: 1, after: 1, fault: answers.serverError },
  ]);
  const file = join(folder, 'connection.json');
  await writeFile(file, JSON.stringify(proxy.document({ unknownOutcome: 'repeat' })));
  const order: QueueOrder = {
    dataFolder: join(folder, 'data'),
    outputFolder: join(folder, 'out'),
    remote: { file, token: null },
    sources,
    texts: makeTexts(3),
    crash: null,
    stays: false,
  };
  context.note('a queue');
  const queue = await watch(setting, queueProcess, [JSON.stringify(order)]);
  const convert = (out: string) => [
    ...['convert', join(folder, 'in'), '--voice', 'low-bronze', '--json'],
    ...['--data-dir', join(folder, `${out} data`), '--out', join(folder, out), '--format', '.wav'],
  ];
  context.note('a command');
  const remote = await watch(setting, commandLine, [...convert('remote'), '--connection', file]);
  context.note('a command with an engine of its own');
  const local = await watch(setting, commandLine, convert('local'));
  must(local > 1, 'the local command started no engine');
  must(
    proxy.calls.some(({ path }) => path.includes(signature)),
    'no address was signed',
  );
  // The connection's document and the recordings are the scenario's own.
  await mustHoldNone('after the processes', folder, [token, signature]);
  return queue + remote + local;
}

/** While the queue is running, a finished job leaves no trace of its address, also not in the journal's files. */
async function whileOpen({ context, engine, token, signature }: Setting): Promise<void> {
  const queue = await openCase(context, engine, {
    name: 'while open',
    token: () => token,
    resultQuery: `signature=${signature}`,
  });
  const fetching = Promise.withResolvers<void>();
  queue.proxy.script([{ operation: 'download', fault: { kind: 'hold', until: fetching.promise } }]);
  queue.scheduler.start();
  const sources = await makeSources(join(queue.dataFolder, '..', 'in'), 3);
  const ids = [...(await queue.convert(sources)), queue.speak()];
  await queue.proxy.waitFor(({ operation }) => operation === 'download');
  const needed = await filesWith(queue.dataFolder, [signature]);
  must(needed.length > 0, 'the journal does not hold the address that it needs after a kill');
  fetching.resolve();
  await queue.ended(ids);
  await queue.quiet();
  await mustHoldNone('while the queue is open', queue.dataFolder, [token, signature]);
  await queue.close();
}

/** What is said about each failure, with all that hangs on it. */
async function messages({ context, engine, token, signature }: Setting): Promise<number> {
  const queue = await openCase(context, engine, {
    name: 'messages',
    token: () => token,
    resultQuery: `signature=${signature}`,
    timeouts: { connectMs: 500, stallMs: 300, convertMs: 500 },
  });
  const [source = ''] = await makeSources(join(queue.dataFolder, '..', 'in'), 1);
  const { signal } = new AbortController();
  const address = async () => {
    const task = await queue.service.createTask({ voice: 'low-bronze', engine: 'v5' }, signal);
    return `${queue.proxy.origin}/results/${task.taskId}/sound.wav?signature=${signature}`;
  };
  const audioUrl = await address();
  const calls = [
    () => queue.service.createTask({ voice: 'low-bronze', engine: 'v5' }, signal),
    () => queue.service.listVoices({ page: 0, limit: 1 }, signal),
    () =>
      queue.service.downloadResult({ audioUrl, write: () => Promise.resolve(), onProgress: () => undefined }, signal),
  ];
  let count = 0;
  for (const fault of faults) {
    queue.proxy.script([{ fault }]);
    for (const call of calls) {
      const error: unknown = await call().then(
        () => null,
        (cause: unknown) => cause,
      );
      if (error === null) continue;
      const shown = inspect(error, { depth: 12, showHidden: true, maxStringLength: null });
      must(!holds(Buffer.from(shown), [token, signature]), `the error of ${JSON.stringify(fault)} holds a secret`);
      count += 1;
    }
  }
  must(count > faults.length, `only ${count} errors`);
  queue.proxy.script([{ operation: 'download', fault: { kind: 'gone', status: 410 } }]);
  queue.scheduler.start();
  const [job] = await queue.ended(await queue.convert([source]));
  must(!holds(Buffer.from(JSON.stringify(job?.problem)), [token, signature]), 'the problem of a job holds a secret');
  await queue.close();
  return count;
}

export const scenario: Scenario = {
  id: 'Q17',
  title: 'secrets are in no file, output, argument, other process or message',
  async run(context) {
    const engine = await context.startEngine();
    // With signs that look otherwise in an address.
    const token = `canary/${context.random.bytes(12).toString('hex')}+token=`;
    const signature = `canary${context.random.bytes(12).toString('hex')}`;
    const setting: Setting = { context, engine, token, signature };
    const watched = await processes(setting);
    await whileOpen(setting);
    const errors = await messages(setting);
    return { 'processes watched': watched, 'errors read': errors, hits: 0 };
  },
};
