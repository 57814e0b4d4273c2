// Fails when many jobs at once are not all cancelled, retried, moved and removed, or keep everybody else waiting.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase } from '../support/queue/open-case.ts';
import { must, type Scenario } from '../support/scenario.ts';

/** Jobs per turn of the event loop. The lag in milliseconds depends on the machine's load, so it is reported but not judged. */
const jobsATurn = 10;

export const scenario: Scenario = {
  id: 'Q29',
  title: 'a thousand jobs of a long queue are cancelled, retried, moved and removed without blocking the event loop',
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1);
    const queue = await openCase(context, engine, { name: 'a long queue' });
    const { store, scheduler } = queue;
    const [first = ''] = await queue.convert([source]);
    const model = queue.job(first);
    const jobs = store.add(
      Array.from({ length: context.size(2000, 10_000) }, (_, k) => ({ ...model, id: `job-${k}` })),
    );
    const ids = jobs.slice(0, 1000).map(({ id }) => id);
    const lag = monitorEventLoopDelay({ resolution: 1 });
    const all = (state: string) => ids.every((id) => queue.job(id).state === state);
    let turns = 0;
    let isCounting = true;
    const count = () => {
      turns += 1;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    lag.enable();
    const startedMs = performance.now();
    await scheduler.cancelAll(ids);
    const cancelledMs = performance.now() - startedMs;
    must(all('cancelled'), 'not all are cancelled');
    await scheduler.retryAll(ids);
    must(all('queued'), 'not all are queued again');
    await scheduler.cancelAll(ids);
    lag.disable();
    isCounting = false;
    store.remove(ids);
    must(!store.page(null, -1).some(({ id }) => ids.includes(id)), 'some are still in the list');
    const p99 = lag.percentile(99) / 1e6;
    must(turns >= (3 * ids.length) / jobsATurn, `others had ${turns} turns meanwhile`);
    await queue.close();
    return {
      jobs: jobs.length,
      'cancelled 1,000 in ms': Math.round(cancelledMs),
      'lag p99 ms': Math.round(p99 * 10) / 10,
    };
  },
};
