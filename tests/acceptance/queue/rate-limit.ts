// Fails when any job calls before the time that the service named, when all rush in after it, or when a job is lost over it.
import { join } from 'node:path';
import { tooManyRequests, unavailable } from '../../faults/answers.ts';
import type { Operation } from '../../faults/call.ts';
import type { Fault } from '../../faults/fault.ts';
import { checkCase } from '../support/queue/check-case.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase } from '../support/queue/open-case.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

/** The longest delay after the pause has ended. */
const lateMs = 2000;
const retryAfterSeconds = 2;
const random = 0.5;
const hourMs = 3_600_000;

interface Case {
  readonly name: string;
  readonly fault: Fault;
  /** Default: any. */
  readonly operations?: readonly Operation[];
  /** Milliseconds after the refusal, or at a time since 1970, before which nothing may come. */
  readonly notBefore: { readonly afterMs: number } | { readonly at: number };
}

const inSeconds = (seconds: number): Date => new Date((Math.floor(Date.now() / 1000) + seconds) * 1000);

/** The service's clock is wrong; its two dates are two seconds apart all the same. */
function skewed(name: string, byMs: number): Case {
  const date = new Date(Date.now() + byMs);
  const fault = tooManyRequests(new Date(date.getTime() + retryAfterSeconds * 1000));
  return {
    name,
    fault: { ...fault, headers: { ...fault.headers, date: date.toUTCString() } },
    notBefore: { afterMs: retryAfterSeconds * 1000 },
  };
}

function dated(name: string, make: (date: Date) => Fault): Case {
  const date = inSeconds(retryAfterSeconds + 1);
  return { name, fault: make(date), notBefore: { at: date.getTime() } };
}

/** Created right before use, because their dates are near. */
const cases: readonly (() => Case)[] = [
  () => ({
    name: '429 in seconds',
    fault: tooManyRequests(retryAfterSeconds),
    notBefore: { afterMs: retryAfterSeconds * 1000 },
  }),
  () => dated('429 by date', tooManyRequests),
  () => skewed('429 by date, clock an hour behind', -hourMs),
  () => skewed('429 by date, clock an hour ahead', hourMs),
  () => ({ name: '429 without a time', fault: tooManyRequests(), notBefore: { afterMs: random * 1000 } }),
  () => ({
    name: '503 in seconds',
    fault: unavailable(retryAfterSeconds),
    notBefore: { afterMs: retryAfterSeconds * 1000 },
  }),
  () => dated('503 by date', unavailable),
  () => ({
    name: '503 without a time',
    fault: unavailable(),
    // Such an answer to a paid call does not prove that nothing was charged, and the job waits for the user.
    operations: ['upload', 'download'],
    notBefore: { afterMs: random * 1000 },
  }),
];

async function slowed(
  context: ScenarioContext,
  engine: EngineProcess,
  sources: readonly string[],
  after: number,
  make: () => Case,
): Promise<number> {
  const { name, fault, operations = 'any', notBefore } = make();
  const queue = await openCase(context, engine, { name, maxConcurrent: 4, random: () => random });
  const { proxy, breaker, scheduler } = queue;
  let heldMs = Infinity;
  breaker.onChanged((held) => {
    if (held.some(({ reason }) => reason === 'rate')) heldMs = Math.min(heldMs, performance.now());
  });
  proxy.script([{ operation: operations, after, times: 1, fault }]);
  scheduler.start();
  const ids = await queue.convert(sources);
  await queue.ended(ids);

  const refusal = proxy.calls.find((call) => call.fault === 'answer');
  must(refusal !== undefined && Number.isFinite(heldMs), `${name}: nobody was slowed`);
  // Those that had begun by then still arrive, before the others.
  const [first, ...rest] = proxy.calls.slice(queue.sends.filter(({ startedMs }) => startedMs <= heldMs).length);
  must(first !== undefined, `${name}: nothing came after it`);
  const refusedMs = refusal.endedMs ?? 0;
  const dueMs = 'at' in notBefore ? notBefore.at - performance.timeOrigin : refusedMs + notBefore.afterMs;
  const lateByMs = first.startedMs - dueMs;
  must(lateByMs >= 0, `${name}: a call came ${(-lateByMs).toFixed()} ms too early`);
  must(lateByMs <= lateMs, `${name}: it went on ${lateByMs.toFixed()} ms too late`);
  const early = rest.find(({ startedMs }) => startedMs < (first.endedMs ?? Infinity));
  must(!early, `${name}: another call came beside the first one`);
  await checkCase(queue, engine, { jobs: sources.length, paid: refusal.operation === 'convert' ? 2 : 1 });
  return lateByMs;
}

export const scenario: Scenario = {
  id: 'Q3',
  title: 'a 429 pauses the whole queue for the requested time, and then one job tries first',
  alone: true,
  async run(context) {
    const engine = await context.startEngine();
    const sources = await makeSources(join(context.folder, 'in'), context.size(8, 30));
    let latestMs = 0;
    for (const [k, make] of cases.entries()) {
      // At another step each time.
      latestMs = Math.max(latestMs, await slowed(context, engine, sources, 5 + k, make));
    }
    return { cases: cases.length, jobs: cases.length * sources.length, 'latest ms': latestMs };
  },
};
