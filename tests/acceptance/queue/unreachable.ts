// Fails when a call that never reached the service is not repeated, is repeated without waiting, or is repeated where it may have cost.
import { join } from 'node:path';
import type { Operation } from '../../faults/call.ts';
import type { Fault } from '../../faults/fault.ts';
import { checkCase } from '../support/queue/check-case.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type CaseOptions, type QueueCase } from '../support/queue/open-case.ts';
import { speechDeliveries } from '../support/queue/speech-deliveries.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

const drops: readonly (readonly [string, Fault])[] = [
  ['unread', { kind: 'drop-before', at: 'headers' }],
  ['unread, reset', { kind: 'drop-before', at: 'headers', reset: true }],
  ['read', { kind: 'drop-before', at: 'body' }],
  ['in the request line', { kind: 'cut', in: 'request-line' }],
  ['in the headers', { kind: 'cut', in: 'request-headers' }],
  ['in the body', { kind: 'cut', in: 'request-body' }],
];
/** The first wait is this part of a second, each further one twice as long. */
const random = 0.02;
const firstWaitMs = random * 1000;
/** Timers may ring a little early by the other clock. */
const slackMs = 3;
const times = 3;

interface Setting {
  readonly context: ScenarioContext;
  readonly engine: EngineProcess;
  readonly source: string;
}

/** Null: a connection that was dropped before anybody knew what for. */
function mustBackOff({ name, proxy }: QueueCase, operation: Operation | null): void {
  const calls = proxy.calls.filter((call) => operation === null || call.operation === operation);
  must(calls.length >= times + 1, `${name}: ${calls.length} tries`);
  for (let tries = 0; tries < times; tries += 1) {
    const [before, after] = [calls[tries], calls[tries + 1]];
    const waitedMs = (after?.startedMs ?? 0) - (before?.endedMs ?? Infinity);
    const leastMs = firstWaitMs * 2 ** tries - slackMs;
    must(waitedMs >= leastMs, `${name}: try ${tries + 2} came after ${waitedMs.toFixed()} ms, not ${leastMs}`);
  }
}

const open = ({ context, engine }: Setting, options: CaseOptions) => openCase(context, engine, options);

async function start(queue: QueueCase, source: string | null): Promise<readonly string[]> {
  queue.scheduler.start();
  return source === null ? [queue.speak()] : queue.convert([source]);
}

async function freeStep(setting: Setting, operation: Operation, how: string, fault: Fault): Promise<void> {
  const queue = await open(setting, { name: `${operation} dropped ${how}`, random: () => random });
  queue.proxy.script([{ operation, times, fault }]);
  await queue.ended(await start(queue, setting.source));
  mustBackOff(queue, operation);
  await checkCase(queue, setting.engine, { jobs: 1, paid: 1 });
}

/** Whether the call arrived is unknown: it is repeated if allowed; otherwise the user decides, and pays once. */
async function paidStep(
  setting: Setting,
  kind: Pick<CaseOptions, 'delivery'>,
  name: string,
  fault: Fault,
  isSpeech: boolean,
) {
  const operation = isSpeech ? 'speech' : 'convert';
  const source = isSpeech ? null : setting.source;
  const repeating = await open(setting, { name: `${name} repeat`, policy: 'repeat', random: () => random, ...kind });
  repeating.proxy.script([{ operation, times, fault }]);
  await repeating.ended(await start(repeating, source));
  mustBackOff(repeating, operation);
  await checkCase(repeating, setting.engine, { jobs: 1, paid: times + 1 });

  const asking = await open(setting, { name: `${name} ask`, ...kind });
  asking.proxy.script([{ operation, times: 1, fault }]);
  const ids = await start(asking, source);
  const [job] = await asking.ended(ids);
  must(job?.state === 'uncertain', `${name}: ${job?.state ?? ''} instead of uncertain`);
  must(asking.proxy.count({ operation }) === 1, `${name}: repeated unasked`);
  ids.forEach(asking.scheduler.retry);
  await asking.ended(ids);
  await checkCase(asking, setting.engine, { jobs: 1, paid: 2 });
}

/** A refused connection carried nothing: the job is retried even with `ask`, and paid for once. */
async function refused(queue: QueueCase, engine: EngineProcess, ids: readonly string[]): Promise<void> {
  const { proxy, scheduler, breaker, connection } = queue;
  await proxy.goOffline();
  scheduler.resume(null);
  await queue.until('it is offline', () => breaker.find(connection.id, 'offline') !== undefined);
  await proxy.comeBack();
  await queue.ended(ids);
  await checkCase(queue, engine, { jobs: 1, paid: 1 });
}

async function refusedConversion(setting: Setting): Promise<void> {
  const queue = await open(setting, { name: 'convert refused' });
  const { proxy, scheduler } = queue;
  const upload = Promise.withResolvers<void>();
  proxy.script([{ operation: 'upload', fault: { kind: 'hold', until: upload.promise } }]);
  const ids = await start(queue, setting.source);
  await proxy.waitFor(({ operation }) => operation === 'upload');
  scheduler.pause();
  upload.resolve();
  await queue.until('the upload is over', () => queue.job(ids[0] ?? '').state === 'uploaded');
  await queue.quiet();
  await refused(queue, setting.engine, ids);
}

export const scenario: Scenario = {
  id: 'Q2',
  title: 'a call that is dropped before the service accepted it is retried with backoff until it succeeds',
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1);
    const setting: Setting = { context, engine, source };
    let cases = 0;
    for (const [at, [how, fault]] of drops.entries()) {
      for (const [k, operation] of (['create-task', 'upload', 'download'] as const).entries()) {
        // A request without a body cannot be cut in it.
        if (operation === 'download' && how === 'in the body') continue;
        if (!context.full && (at + k) % 2 === 1) continue;
        await freeStep(setting, operation, how, fault);
        cases += 1;
      }
      if (!context.full && at % 2 === 1) continue;
      await paidStep(setting, {}, `convert dropped ${how}`, fault, false);
      cases += 2;
    }
    const accepted = await open(setting, { name: 'dropped at the door', random: () => random });
    accepted.proxy.script([{ times, fault: { kind: 'drop-before', at: 'accept' } }]);
    await accepted.ended(await start(accepted, source));
    mustBackOff(accepted, null);
    await checkCase(accepted, engine, { jobs: 1, paid: 1 });
    await refusedConversion(setting);
    cases += 2;
    for (const [k, [way, delivery]] of speechDeliveries.entries()) {
      const some = context.full ? drops : drops.filter((_, at) => at === k);
      for (const [how, fault] of some) {
        await paidStep(setting, { delivery }, `speech by ${way} dropped ${how}`, fault, true);
        cases += 2;
      }
      const queue = await open(setting, { name: `speech by ${way} refused`, delivery });
      queue.scheduler.pause();
      await refused(queue, engine, await start(queue, null));
      cases += 1;
    }
    return { cases };
  },
};
