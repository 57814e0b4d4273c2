// Fails when a lost reply makes Timbre pay again unasked, lose the job, or continue with others although it must stop.
import { join } from 'node:path';
import type { SpeechDelivery } from '../../faults/speech-delivery.ts';
import type { Fault } from '../../faults/fault.ts';
import type { Operation } from '../../faults/call.ts';
import { checkCase } from '../support/queue/check-case.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type QueueCase } from '../support/queue/open-case.ts';
import { hasAddress, speechDeliveries } from '../support/queue/speech-deliveries.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

/** The service did its work, and the client heard nothing, or not all of it. */
const losses: readonly (readonly [string, Fault])[] = [
  ['closed', { kind: 'drop-after' }],
  ['reset', { kind: 'drop-after', reset: true }],
  ['cut in the headers', { kind: 'cut', in: 'reply-headers' }],
  ['cut in the body', { kind: 'cut', in: 'reply-body' }],
];

interface Setting {
  readonly context: ScenarioContext;
  readonly engine: EngineProcess;
  readonly sources: readonly string[];
}

interface Loss {
  readonly name: string;
  readonly operation: Operation;
  readonly fault: Fault;
  /** Null: a conversion. */
  readonly delivery: SpeechDelivery | null;
}

async function begin({ context, engine, sources }: Setting, loss: Loss, policy: 'ask' | 'repeat' | 'stop', jobs = 1) {
  const { operation, fault, delivery } = loss;
  const queue = await openCase(context, engine, {
    name: `${loss.name} ${policy}`,
    policy,
    ...(delivery !== null && { delivery }),
  });
  queue.proxy.script([{ operation, times: 1, fault }]);
  queue.scheduler.start();
  const ids =
    delivery === null
      ? await queue.convert(sources.slice(0, jobs))
      : Array.from({ length: jobs }, (_, k) => queue.speak(String(k)));
  return { queue, ids };
}

const states = (queue: QueueCase, ids: readonly string[]) => ids.map((id) => queue.job(id).state).join(', ');

/** A free step is repeated, whatever the policy for paid ones. */
async function freeStep(setting: Setting, loss: Loss): Promise<void> {
  const { queue, ids } = await begin(setting, loss, 'ask');
  await queue.ended(ids);
  must(queue.proxy.count({ operation: loss.operation }) === 2, `${queue.name}: the step was not repeated once`);
  await checkCase(queue, setting.engine, { jobs: 1, paid: 1 });
}

async function asks(setting: Setting, loss: Loss): Promise<void> {
  const { queue, ids } = await begin(setting, loss, 'ask');
  await queue.ended(ids);
  must(states(queue, ids) === 'uncertain', `${queue.name}: ${states(queue, ids)} instead of uncertain`);
  must(queue.job(ids[0] ?? '').problem?.code === 'service/uncertain', `${queue.name}: it does not say why`);
  await queue.quiet();
  must(queue.mostPaid() === 1, `${queue.name}: ${queue.mostPaid()} paid calls before anybody was asked`);
  ids.forEach(queue.scheduler.retry);
  await queue.ended(ids);
  await checkCase(queue, setting.engine, { jobs: 1, paid: 2 });
}

async function repeats(setting: Setting, loss: Loss): Promise<void> {
  const { queue, ids } = await begin(setting, loss, 'repeat');
  await queue.ended(ids);
  await checkCase(queue, setting.engine, { jobs: 1, paid: 2 });
}

async function stops(setting: Setting, loss: Loss): Promise<void> {
  const { queue, ids } = await begin(setting, loss, 'stop', 3);
  const { breaker, proxy, connection, scheduler } = queue;
  await queue.until('the queue stops', () => breaker.find(connection.id, 'uncertain') !== undefined);
  await queue.quiet();
  const uncertain = () => ids.filter((id) => queue.job(id).state === 'uncertain');
  const waiting = ids.filter((id) => queue.job(id).state === 'queued');
  must(waiting.length === 2 && uncertain().length === 1, `${queue.name}: ${states(queue, ids)}`);
  must(proxy.calls.length <= 3, `${queue.name}: other jobs went on`);
  scheduler.resume(connection.id);
  await queue.ended(waiting);
  must(uncertain().length === 1, `${queue.name}: ${states(queue, ids)}, decided by nobody`);
  await checkCase(queue, setting.engine, { jobs: 3, paid: 1, mayBeUncertain: true });
}

const policies = [asks, repeats, stops];

export const scenario: Scenario = {
  id: 'Q1',
  title: 'a lost reply to an accepted call causes no second charge unasked',
  async run(context) {
    const engine = await context.startEngine();
    const sources = await makeSources(join(context.folder, 'in'), 3);
    const setting: Setting = { context, engine, sources };
    let cases = 0;
    for (const [how, fault] of losses) {
      for (const operation of ['create-task', 'upload', 'download'] as const) {
        await freeStep(setting, { name: `${operation} ${how}`, operation, fault, delivery: null });
        cases += 1;
      }
      for (const run of policies) {
        await run(setting, { name: `convert ${how}`, operation: 'convert', fault, delivery: null });
        cases += 1;
      }
    }
    // Each way of delivery with each way of losing it; in the quick run each policy with one of the ways.
    for (const [k, [way, delivery]] of speechDeliveries.entries()) {
      for (const [n, run] of policies.entries()) {
        const some = context.full ? losses : losses.filter((_, at) => at === (k + n) % losses.length);
        for (const [how, fault] of some) {
          await run(setting, { name: `speech by ${way} ${how}`, operation: 'speech', fault, delivery });
          cases += 1;
        }
      }
      const [how, fault] = losses[k % losses.length] ?? ['closed', { kind: 'drop-after' }];
      if (!hasAddress(delivery)) continue;
      await freeStep(setting, { name: `fetched speech by ${way} ${how}`, operation: 'download', fault, delivery });
      cases += 1;
    }
    return { cases };
  },
};
