// Fails when a job cancelled at any point is still active after a second, leaves a file or a socket, or makes another call.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answers, tooManyRequests } from '../../faults/answers.ts';
import type { Rule } from '../../faults/fault-rules.ts';
import { systemClock } from '../../../src/main/core/clock.ts';
import { createConnectionRegistry } from '../../../src/main/core/connections/connection-registry.ts';
import { openQueue } from '../../../src/main/core/jobs/open-queue.fixture.ts';
import { createHttp } from '../../../src/main/core/voice-service/http.ts';
import type { SpeechDelivery } from '../../faults/speech-delivery.ts';
import { clientSockets } from '../support/queue/client-sockets.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type QueueCase } from '../support/queue/open-case.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

const longestMs = 1000;
const never = new Promise<never>(() => undefined);

/** The point at which a job is cancelled. */
interface CancelPoint {
  readonly name: string;
  /** Default: a conversion. */
  readonly delivery?: SpeechDelivery;
  readonly rules?: readonly Rule[];
  /** Lets the running step finish, and no other start. */
  readonly restAfter?: 'create-task' | 'upload' | 'convert' | 'speech';
  /** No step starts. */
  readonly paused?: boolean;
  isReached(queue: QueueCase, id: string): boolean;
}

const inState = (state: string) => (queue: QueueCase, id: string) => queue.job(id).state === state;
const calling = (operation: string) => (queue: QueueCase) =>
  queue.proxy.calls.some((call) => call.operation === operation && call.fault === null && call.outcome === 'open');
const received = (bytes: number) => (queue: QueueCase) =>
  queue.proxy.calls.some((call) => call.receivedBytes >= bytes && call.operation === 'upload');
const arriving = (queue: QueueCase) =>
  queue.progress.some((progress) => progress.direction === 'download' && progress.doneBytes > 0);
const waiting = (queue: QueueCase, id: string) => queue.job(id).nextTryAt !== null;
const paused = (reason: 'rate' | 'token' | 'quota') => (queue: QueueCase) =>
  queue.breaker.find(queue.connection.id, reason) !== undefined;
const hold = (operation: Rule['operation'], at: 'request' | 'reply' = 'request'): Rule => ({
  ...(operation !== undefined && { operation }),
  fault: { kind: 'hold', at, until: never },
});
const failing = (operation: 'create-task' | 'upload' | 'download'): Rule => ({ operation, fault: answers.serverError });
const stalled = (operation: 'convert' | 'download' | 'speech', afterBytes: number): Rule => ({
  operation,
  fault: { kind: 'stall', at: 'body', afterBytes },
});

const cancelPoints: readonly CancelPoint[] = [
  { name: 'queued', paused: true, isReached: (queue, id) => queue.job(id).outputFormat !== null },
  { name: 'creating', rules: [hold('create-task')], isReached: calling('create-task') },
  { name: 'creating, answered', rules: [hold('create-task', 'reply')], isReached: calling('create-task') },
  { name: 'created', restAfter: 'create-task', isReached: inState('created') },
  {
    name: 'uploading',
    rules: [{ operation: 'upload', fault: { kind: 'stall', at: 'request', afterBytes: 100_000 } }],
    isReached: received(100_000),
  },
  { name: 'uploading, all sent', rules: [hold('upload', 'reply')], isReached: received(400_000) },
  { name: 'uploaded', restAfter: 'upload', isReached: inState('uploaded') },
  { name: 'converting', rules: [hold('convert')], isReached: calling('convert') },
  { name: 'converting, answered', rules: [hold('convert', 'reply')], isReached: calling('convert') },
  { name: 'converting, half answered', rules: [stalled('convert', 10)], isReached: inState('converting') },
  { name: 'converted', restAfter: 'convert', isReached: inState('converted') },
  { name: 'downloading, no bytes yet', rules: [hold('download')], isReached: calling('download') },
  { name: 'downloading', rules: [stalled('download', 5000)], isReached: arriving },
  { name: 'backoff before create', rules: [failing('create-task')], isReached: waiting },
  { name: 'backoff before upload', rules: [failing('upload')], isReached: waiting },
  { name: 'backoff before download', rules: [failing('download')], isReached: waiting },
  { name: 'slowed', rules: [{ operation: 'convert', fault: tooManyRequests(3600) }], isReached: paused('rate') },
  { name: 'without token', rules: [{ operation: 'upload', fault: answers.unauthorized }], isReached: paused('token') },
  {
    name: 'without quota',
    rules: [{ operation: 'convert', fault: answers.paymentRequired }],
    isReached: paused('quota'),
  },
  { name: 'speech queued', delivery: 'address', paused: true, isReached: inState('queued') },
  { name: 'speech converting', delivery: 'address', rules: [hold('speech')], isReached: calling('speech') },
  { name: 'speech arriving', delivery: 'body', rules: [stalled('speech', 6000)], isReached: arriving },
  {
    name: 'speech half answered',
    delivery: 'base64',
    rules: [stalled('speech', 6000)],
    isReached: inState('converting'),
  },
  { name: 'speech there', delivery: 'message', restAfter: 'speech', isReached: inState('converted') },
  { name: 'speech there, received', delivery: 'body', restAfter: 'speech', isReached: inState('converted') },
  { name: 'speech downloading', delivery: { path: 'url' }, rules: [stalled('download', 5000)], isReached: arriving },
];

interface Setting {
  readonly context: ScenarioContext;
  readonly engine: EngineProcess;
  /** Long enough to be half-way somewhere. */
  readonly source: string;
}

/** Resolves when nothing of the job is left; throws `Failed` when that takes too long. */
async function cancelled(queue: QueueCase, id: string, cancel = () => queue.scheduler.cancel(id)): Promise<number> {
  const startedMs = performance.now();
  const callsBefore = queue.proxy.calls.length;
  // The job says that it converts before its call has arrived.
  const hasPaidCall = queue.proxy.calls.some(({ operation }) => operation === 'convert' || operation === 'speech');
  const onTheirWay = queue.job(id).state === 'converting' && !hasPaidCall ? 1 : 0;
  const port = Number(new URL(queue.proxy.origin).port);
  cancel();
  for (;;) {
    const ms = performance.now() - startedMs;
    const { state } = queue.job(id);
    const sockets = clientSockets(port);
    const temporaries = await queue.temporaries();
    if (state === 'cancelled' && sockets === 0 && temporaries.length === 0) break;
    const left = `${state}, ${sockets} sockets, ${temporaries.length} temporary files`;
    must(ms <= longestMs, `${queue.name}: ${left} after ${ms.toFixed()} ms`);
    await sleep(2);
  }
  const ms = performance.now() - startedMs;
  // A call whose body the proxy does not read cannot tell it that its client is gone.
  queue.proxy.disconnect();
  await queue.quiet();
  must(queue.proxy.calls.length - callsBefore <= onTheirWay, `${queue.name}: it called once more`);
  must((await queue.outputs()).length === 0, `${queue.name}: it left a file`);
  must(queue.job(id).state === 'cancelled', `${queue.name}: it came back as ${queue.job(id).state}`);
  return ms;
}

async function cancelAt({ context, engine, source }: Setting, point: CancelPoint): Promise<number> {
  const { name, delivery, rules = [], restAfter } = point;
  const queue = await openCase(context, engine, {
    name,
    singleUse: true,
    random: () => 1,
    ...(delivery !== undefined && { delivery }),
  });
  const { proxy, scheduler } = queue;
  const rest = Promise.withResolvers<void>();
  const resting: readonly Rule[] = restAfter
    ? [{ operation: restAfter, fault: { kind: 'hold', at: 'reply', until: rest.promise } }]
    : [];
  proxy.script([...resting, ...rules]);
  if (point.paused) scheduler.pause();
  scheduler.start();
  const [id = ''] =
    delivery === undefined ? await queue.convert([source]) : [queue.speak('long enough to be cut in the middle')];
  if (restAfter) {
    await queue.until(`it calls ${restAfter}`, () => proxy.count({ operation: restAfter }) > 0);
    scheduler.pause();
    rest.resolve();
    await queue.until('it rests', () => point.isReached(queue, id));
    await queue.quiet();
  }
  // A body that stalls may be on its way to the file still.
  await waitFor(queue, () => point.isReached(queue, id));
  const ms = await cancelled(queue, id);
  await queue.close();
  return ms;
}

/** Polls, because the store emits no event for progress. */
async function waitFor(queue: QueueCase, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries += 1) {
    must(tries < 2000, `${queue.name}: it never reached that point`);
    await sleep(5);
  }
}

/** Jobs before or during their preflight. */
async function unexamined({ context, engine }: Setting): Promise<number> {
  const queue = await openCase(context, engine, { name: 'unexamined', singleUse: true });
  const sources = await makeSources(join(queue.dataFolder, 'in'), 20);
  queue.scheduler.start();
  const ids = await queue.convert(sources);
  const raw = ids.filter((id) => queue.job(id).outputFormat === null);
  must(raw.length > 4, `only ${raw.length} were unexamined`);
  const startedMs = performance.now();
  ids.forEach(queue.scheduler.cancel);
  await queue.ended(ids);
  await queue.proxy.idle();
  must(clientSockets(Number(new URL(queue.proxy.origin).port)) === 0, 'unexamined: a socket is left');
  const ms = performance.now() - startedMs;
  must(ms <= longestMs, `unexamined: ended after ${ms.toFixed()} ms`);
  must(
    ids.every((id) => queue.job(id).state === 'cancelled'),
    'unexamined: not all are cancelled',
  );
  must((await queue.outputs()).length === 0, 'unexamined: a file was left');
  await queue.close();
  return ms;
}

/** It is being given its name: that comes to its end at once, one way or the other. */
async function publishing({ context, engine, source }: Setting): Promise<number> {
  const queue = await openCase(context, engine, { name: 'publishing', singleUse: true });
  const moment = Promise.withResolvers<number>();
  queue.store.onEvent((news) => {
    const job = news.kind === 'upserted' ? news.jobs.find(({ state }) => state === 'publishing') : undefined;
    if (!job) return;
    moment.resolve(performance.now());
    queue.scheduler.cancel(job.id);
  });
  queue.scheduler.start();
  const ids = await queue.convert([source]);
  const [job] = await queue.ended(ids);
  const ms = performance.now() - (await moment.promise);
  must(ms <= longestMs, `publishing: ended after ${ms.toFixed()} ms`);
  const files = job?.state === 'done' ? 1 : 0;
  must((await queue.outputs()).length === files, `publishing: ${job?.state ?? ''} with other than ${files} files`);
  must((await queue.temporaries()).length === 0, 'publishing: a temporary file is left');
  await queue.close();
  return ms;
}

/** A command, or another window, cancels what this process works on. */
async function byAnother({ context, engine, source }: Setting): Promise<number> {
  const queue = await openCase(context, engine, { name: 'cancelled by another process', singleUse: true });
  const { proxy, connection, dataFolder } = queue;
  proxy.script([hold('convert')]);
  queue.scheduler.start();
  const [id = ''] = await queue.convert([source]);
  await queue.until('it converts', () => calling('convert')(queue));
  const http = createHttp();
  const other = await openQueue({
    dataFolder,
    clock: systemClock,
    random: Math.random,
    connections: createConnectionRegistry(http, [connection]),
    role: 'command',
    onProgress: () => undefined,
    onDefect: () => undefined,
  });
  const ms = await cancelled(queue, id, () => other.scheduler.cancel(id));
  await other.stop();
  await http.close();
  await queue.close();
  return ms;
}

export const scenario: Scenario = {
  id: 'Q6',
  title: 'a job cancelled in any state ends within a second and leaves nothing',
  alone: true,
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1, 15);
    const setting: Setting = { context, engine, source };
    let slowestMs = 0;
    const took = (ms: number) => (slowestMs = Math.max(slowestMs, ms));
    for (let round = 0; round < context.size(1, 5); round += 1) {
      const name = (point: CancelPoint) => (round === 0 ? point : { ...point, name: `${point.name} ${round}` });
      for (const point of cancelPoints) took(await cancelAt(setting, name(point)));
    }
    took(await unexamined(setting));
    took(await publishing(setting));
    took(await byAnother(setting));
    return { points: cancelPoints.length + 3, 'slowest ms': slowestMs };
  },
};
