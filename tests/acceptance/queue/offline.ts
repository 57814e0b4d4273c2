// Fails when losing the network costs a job, when it takes long to notice that it is back, or when another connection waits along.
import { join } from 'node:path';
import { checkQueue } from '../support/queue/check-queue.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type QueueCase } from '../support/queue/open-case.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

const longestMs = 5000;
const concurrency = 3;
/** Long enough for the tries to become as rare as they get. */
const offlineTries = 3;

const doneOf = (queue: QueueCase, ids: readonly string[]) => ids.filter((id) => queue.job(id).state === 'done').length;

/** Tasks are begun in the order of the queue; those that fly together may arrive in any. */
function mustKeepOrder(queue: QueueCase, ids: readonly string[]): void {
  const placeOf = new Map(
    ids.map((id, place) => {
      const job = queue.job(id);
      return [job.kind === 'conversion' ? job.taskId : null, place];
    }),
  );
  const places = queue.proxy.calls
    .filter(({ operation, task }) => operation === 'create-task' && placeOf.has(task))
    .map(({ task }) => placeOf.get(task) ?? -1);
  must(places.length === ids.length, `${places.length} creates for ${ids.length} jobs`);
  for (const [at, place] of places.entries()) {
    must(Math.abs(at - place) < concurrency, `job ${place + 1} was begun as number ${at + 1}`);
  }
}

async function offline(context: ScenarioContext, engine: EngineProcess, round: number, jobs: number): Promise<number> {
  const folder = join(context.folder, `in ${round}`);
  const sources = await makeSources(folder, 2 * jobs);
  const elsewhere = await context.startProxy({ target: engine.origin, serviceToken: engine.token });
  const other = { ...elsewhere.connection({ unknownOutcome: 'repeat', name: 'Elsewhere' }), id: 'elsewhere' };
  const queue = await openCase(context, engine, {
    name: `offline ${round}`,
    policy: 'repeat',
    maxConcurrent: concurrency,
    others: [other],
  });
  const { proxy, breaker, scheduler, connection } = queue;
  // All are looked at before the first begins: the order is that of the queue, not that of the disk.
  scheduler.pause();
  scheduler.start();
  const ids = await queue.convert(sources.slice(0, jobs));
  await queue.until('all were looked at', () => ids.every((id) => queue.job(id).outputFormat !== null));
  scheduler.resume(null);
  const doneBefore = context.random.integer(1, Math.floor(jobs / 2));
  await queue.until('some are done', () => doneOf(queue, ids) >= doneBefore);
  await proxy.goOffline();
  await queue.until('it is noticed', () => breaker.find(connection.id, 'offline') !== undefined);

  context.note(`offline ${round}: another connection works`);
  const others = await queue.convert(sources.slice(jobs), { connection: other });
  await queue.ended(others);
  await queue.until('it was tried again', () => (breaker.find(connection.id, 'offline')?.tries ?? 0) >= offlineTries);
  const failed = ids.filter((id) => ['failed', 'uncertain', 'cancelled'].includes(queue.job(id).state));
  must(failed.length === 0, `${failed.length} jobs were lost offline`);
  must(doneOf(queue, ids) < jobs, 'all was done before the network was lost');

  const backMs = performance.now();
  const callsBefore = proxy.calls.length;
  await proxy.comeBack();
  await queue.until('it goes on', () => proxy.calls.length > callsBefore);
  const wentOnMs = performance.now() - backMs;
  must(wentOnMs <= longestMs, `went on after ${wentOnMs.toFixed()} ms`);
  await queue.ended(ids);
  mustKeepOrder(queue, ids);
  must((await queue.runs()) === jobs, `${await queue.runs()} pieces of sound work for ${jobs} jobs`);
  await queue.close();
  await checkQueue({ ...queue, engineFolder: engine.dataDirectory, jobs: 2 * jobs, mayBeUncertain: false });
  return wentOnMs;
}

export const scenario: Scenario = {
  id: 'Q14',
  title: 'offline jobs wait, and resume in order within five seconds; other connections keep working',
  alone: true,
  async run(context) {
    const engine = await context.startEngine();
    const rounds = context.size(2, 20);
    const jobs = context.size(8, 30);
    let slowestMs = 0;
    for (let round = 1; round <= rounds; round += 1) {
      slowestMs = Math.max(slowestMs, await offline(context, engine, round, jobs));
    }
    return { rounds, jobs: rounds * 2 * jobs, 'went on after ms': slowestMs };
  },
};
