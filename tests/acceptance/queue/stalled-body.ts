// Fails when a service that falls silent in the middle keeps a job for ever, or when the silence leads to paying again unasked.
import { join } from 'node:path';
import type { Operation } from '../../faults/call.ts';
import type { Fault } from '../../faults/fault.ts';
import { checkCase } from '../support/queue/check-case.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type CaseOptions, type QueueCase } from '../support/queue/open-case.ts';
import { someAtOnce } from '../support/queue/some-at-once.ts';
import { hasAddress, speechDeliveries } from '../support/queue/speech-deliveries.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

const stallMs = 800;
/** A paid call that is to fall silent ends by them; one that is not has all the time that a busy machine needs. */
const timeoutsFor = (isPaid: boolean) => ({ stallMs, convertMs: isPaid ? 5 * stallMs : 60_000 });
/** The reply to an upload may take five stalls; the rest is for a busy machine. */
const longestMs = 5 * stallMs + 8000;

const silences: readonly (readonly [string, Fault])[] = [
  ['after the headers', { kind: 'stall', at: 'body', afterBytes: 0 }],
  ['in the body', { kind: 'stall', at: 'body', afterBytes: 20 }],
  ['before the headers', { kind: 'stall', at: 'headers' }],
];
const dripping: Fault = { kind: 'slow', bytesPerSecond: 40 };

interface Setting {
  readonly context: ScenarioContext;
  readonly engine: EngineProcess;
  readonly source: string;
}

interface Silence {
  readonly name: string;
  readonly operation: Operation;
  readonly fault: Fault;
  readonly speech?: CaseOptions['delivery'];
}

/** The client left by itself, and not before its time. */
function mustHaveTimedOut({ name, proxy }: QueueCase, operation: Operation): number {
  const call = proxy.calls.find((one) => one.operation === operation);
  must(call?.outcome === 'left', `${name}: the call was ${call?.outcome ?? 'not made'}`);
  const ms = (call.endedMs ?? 0) - call.startedMs;
  // A busy proxy hears of a call later than the client began to wait.
  must(ms >= stallMs / 2, `${name}: given up after ${ms.toFixed()} ms`);
  must(ms <= longestMs, `${name}: given up only after ${ms.toFixed()} ms`);
  return ms;
}

async function run({ context, engine, source }: Setting, silence: Silence, policy: 'ask' | 'repeat'): Promise<number> {
  const { operation, fault, speech } = silence;
  const isPaid = operation === 'convert' || operation === 'speech';
  const queue = await openCase(context, engine, {
    name: `${silence.name} ${policy}`,
    policy,
    timeouts: timeoutsFor(isPaid),
    ...(speech !== undefined && { delivery: speech }),
  });
  queue.proxy.script([{ operation, times: 1, fault }]);
  queue.scheduler.start();
  const ids = speech === undefined ? await queue.convert([source]) : [queue.speak()];
  await queue.ended(ids);
  await queue.quiet();
  const ms = mustHaveTimedOut(queue, operation);
  if (isPaid && policy === 'ask') {
    must(queue.job(ids[0] ?? '').state === 'uncertain', `${queue.name}: nobody was asked`);
    must(queue.proxy.count({ operation }) === 1, `${queue.name}: it was paid for again unasked`);
    ids.forEach(queue.scheduler.retry);
    await queue.ended(ids);
  }
  must(queue.job(ids[0] ?? '').state === 'done', `${queue.name}: ${queue.job(ids[0] ?? '').state}`);
  await checkCase(queue, engine, { jobs: 1, paid: isPaid ? 2 : 1 });
  return ms;
}

export const scenario: Scenario = {
  id: 'Q8',
  title: 'a silent service ends in a stall timeout, and nothing is paid twice unasked',
  alone: true,
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1);
    const setting: Setting = { context, engine, source };
    let longest = 0;
    const cases: (() => Promise<void>)[] = [];
    const add = (silence: Silence, policy: 'ask' | 'repeat' = 'ask') =>
      cases.push(async () => void (longest = Math.max(longest, await run(setting, silence, policy))));
    for (const [how, fault] of silences) {
      for (const operation of ['create-task', 'upload', 'download'] as const) {
        add({ name: `${operation} silent ${how}`, operation, fault });
      }
      for (const policy of ['ask', 'repeat'] as const) {
        add({ name: `convert silent ${how}`, operation: 'convert', fault }, policy);
      }
    }
    add({ name: 'download dripping', operation: 'download', fault: dripping });
    for (const [k, [way, delivery]] of speechDeliveries.entries()) {
      const some = context.full ? silences : silences.filter((_, at) => at === k % silences.length);
      for (const [how, fault] of some) {
        const silence: Silence = {
          name: `speech by ${way} silent ${how}`,
          operation: 'speech',
          fault,
          speech: delivery,
        };
        add(silence);
        if (context.full || k % 2 === 0) add(silence, 'repeat');
        if (hasAddress(delivery)) add({ ...silence, name: `fetched ${silence.name}`, operation: 'download' });
      }
    }
    await someAtOnce(cases);
    return { cases: cases.length, 'stall timeout ms': stallMs, 'longest ms': longest };
  },
};
