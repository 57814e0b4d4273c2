// Fails when a used-up quota lets another paid call out, loses a result that is there already, or does not say why it waits.
import { join } from 'node:path';
import { answers } from '../../faults/answers.ts';
import { checkCase } from '../support/queue/check-case.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase } from '../support/queue/open-case.ts';
import { must, type Figures, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

/** Two are converted before the quota is used up: one result is on its way then, the other waits to be tried again. */
async function conversions(context: ScenarioContext, engine: EngineProcess, jobs: number): Promise<Figures> {
  const paid = 2;
  const sources = await makeSources(join(context.folder, 'in'), jobs);
  const queue = await openCase(context, engine, { name: 'quota', maxConcurrent: paid + 1, random: () => 0.3 });
  const { proxy, breaker, scheduler, connection } = queue;
  let heldMs = Infinity;
  breaker.onChanged((held) => {
    if (held.some(({ reason }) => reason === 'quota')) heldMs = Math.min(heldMs, performance.now());
  });
  const fetching = Promise.withResolvers<void>();
  proxy.script([
    { operation: 'download', times: paid, fault: { kind: 'hold', until: fetching.promise } },
    { operation: 'download', times: 1, fault: answers.serverError },
    { operation: 'convert', after: paid, fault: answers.paymentRequired },
  ]);
  scheduler.start();
  const ids = await queue.convert(sources);
  await queue.until('the quota is used up', () => breaker.find(connection.id, 'quota') !== undefined);
  fetching.resolve();
  const done = () => ids.filter((id) => queue.job(id).state === 'done');
  await queue.until('both results are there', () => done().length === paid);
  await queue.quiet();

  const pause = breaker.find(connection.id, 'quota');
  must(pause?.problem?.code === 'quota/used-up', `the pause says ${pause?.problem?.code ?? 'nothing'}`);
  must(pause.problem.words?.includes('Payment required') === true, 'the pause does not say what the service said');
  must((pause.resumesAt ?? 0) > Date.now() + 60_000, 'the pause is short');
  const refused = proxy.calls.filter(({ status }) => status === 402);
  must(refused.length === 1, `${refused.length} paid calls after the quota was used up`);
  const other = queue.sends.find(({ startedMs, path }) => startedMs > heldMs && !path.startsWith('/results/'));
  must(!other, `${other?.path ?? ''} was called while the queue was paused`);
  must(
    ids.every((id) => queue.job(id).state !== 'failed'),
    'a job failed over it',
  );

  proxy.script([]);
  scheduler.resume(connection.id);
  await queue.ended(ids);
  // The one that was refused goes out again; nothing was paid for it.
  await checkCase(queue, engine, { jobs, paid: 1 });
  return { jobs, 'fetched while paused': paid, 'paid calls while paused': refused.length - 1 };
}

async function speech(context: ScenarioContext, engine: EngineProcess): Promise<void> {
  const queue = await openCase(context, engine, { name: 'quota for speech' });
  const { proxy, breaker, scheduler, connection } = queue;
  proxy.script([{ operation: 'speech', fault: answers.paymentRequired }]);
  scheduler.start();
  const ids = ['one', 'two', 'three'].map((words) => queue.speak(words));
  await queue.until('the quota is used up', () => breaker.find(connection.id, 'quota') !== undefined);
  await queue.quiet();
  must(proxy.calls.length === 1, `${proxy.calls.length} paid calls`);
  must(
    ids.every((id) => queue.job(id).state === 'queued'),
    'speech does not wait',
  );
  proxy.script([]);
  scheduler.resume(connection.id);
  await queue.ended(ids);
  await checkCase(queue, engine, { jobs: ids.length, paid: 1 });
}

export const scenario: Scenario = {
  id: 'Q5',
  title: 'a used-up quota pauses with its reason; results are still downloaded, and nothing more is paid',
  async run(context) {
    const engine = await context.startEngine();
    const figures = await conversions(context, engine, context.size(8, 40));
    await speech(context, engine);
    return figures;
  },
};
