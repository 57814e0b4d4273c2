// Fails when an expired token costs a job, a second prompt, or a step that had succeeded already.
import { join } from 'node:path';
import { answers } from '../../faults/answers.ts';
import type { Call, Operation } from '../../faults/call.ts';
import type { FaultProxy } from '../../faults/start-fault-proxy.ts';
import { checkCase } from '../support/queue/check-case.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase } from '../support/queue/open-case.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

const callsWithOldToken = 16;
const concurrency = 4;
const steps: readonly Operation[] = ['create-task', 'upload', 'convert', 'download'];

type When = (call: Call) => boolean;

/** The seventeenth call, and as many more as can be under way with it. */
function fromCallSeventeen(proxy: FaultProxy): {
  readonly held: When;
  readonly refused: When;
  readonly all: Promise<void>;
} {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = ({ order }: Call) => order > callsWithOldToken;
  proxy.onCall(() => {
    if (proxy.calls.filter((call) => late(call) && call.outcome === 'open').length === concurrency) resolve();
  });
  return { held: late, refused: late, all: promise };
}

/** One call of each step, so that each has to be taken up where it stood. */
function atEachStep(): { readonly held: When; readonly refused: When; readonly all: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = new Map<Operation, number>();
  return {
    held({ operation, order }) {
      if (order <= callsWithOldToken || held.has(operation)) return false;
      held.set(operation, order);
      if (held.size === steps.length) resolve();
      return true;
    },
    refused: ({ operation, order }) => held.size === steps.length || held.get(operation) === order,
    all: promise,
  };
}

async function expire(
  context: ScenarioContext,
  engine: EngineProcess,
  sources: readonly string[],
  name: string,
  expiry: typeof fromCallSeventeen,
): Promise<number> {
  let token = 'old';
  const queue = await openCase(context, engine, { name, maxConcurrent: concurrency, token: () => token });
  const { proxy, breaker, scheduler, connection } = queue;
  let prompts = 0;
  let isHeld = false;
  breaker.onChanged((held) => {
    const isAsked = held.some(({ reason }) => reason === 'token');
    if (isAsked && !isHeld) prompts += 1;
    isHeld = isAsked;
  });
  const { held, refused, all } = expiry(proxy);
  const isOld = ({ headers }: Call) => headers.authorization === 'Bearer old';
  proxy.script([
    { when: (call) => isOld(call) && held(call), fault: { kind: 'hold', until: all } },
    { when: (call) => isOld(call) && refused(call), fault: answers.unauthorized },
  ]);
  scheduler.start();
  const ids = await queue.convert(sources);
  await queue.until('the token is asked for', () => isHeld);
  await queue.quiet();
  const count = proxy.calls.filter(({ status }) => status === 401).length;
  must(count === concurrency, `${name}: ${count} calls were refused before the queue stood still`);
  const failed = ids.filter((id) => ['failed', 'uncertain', 'cancelled'].includes(queue.job(id).state));
  must(failed.length === 0, `${name}: ${failed.length} jobs failed`);
  const problem = breaker.find(connection.id, 'token')?.problem;
  must(problem?.code === 'auth/refused', `${name}: the pause says ${problem?.code ?? 'nothing'}`);

  token = 'new';
  scheduler.resume(connection.id);
  await queue.ended(ids);
  must(prompts === 1, `${name}: the token was asked for ${prompts} times`);
  for (const step of steps) {
    const times = proxy.calls.filter(
      ({ operation, serviceStatus }) => operation === step && serviceStatus === 200,
    ).length;
    must(times === ids.length, `${name}: ${times} times ${step} for ${ids.length} jobs`);
  }
  await checkCase(queue, engine, { jobs: ids.length, paid: 1 });
  return prompts;
}

export const scenario: Scenario = {
  id: 'Q4',
  title: 'a token that expires in a batch is asked for once, and no job fails or repeats a step',
  async run(context) {
    const engine = await context.startEngine();
    const sources = await makeSources(join(context.folder, 'in'), 30);
    const prompts = await expire(context, engine, sources, 'at call 17', fromCallSeventeen);
    await expire(context, engine, sources, 'at each step', atEachStep);
    return { batches: 2, jobs: sources.length, 'prompts each': prompts };
  },
};
