// Fails when cancelling from another process contradicts the file on the disk.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../src/main/core/clock.ts';
import { createConnectionRegistry } from '../../../src/main/core/connections/connection-registry.ts';
import { openQueue } from '../../../src/main/core/jobs/open-queue.fixture.ts';
import { createHttp } from '../../../src/main/core/voice-service/http.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase } from '../support/queue/open-case.ts';
import { Failed, must, type Scenario } from '../support/scenario.ts';

const longestMs = 1000;

export const scenario: Scenario = {
  id: 'Q28',
  title: 'a job cancelled by another process while its result is published has a row that matches its file',
  async run(context) {
    const engine = await context.startEngine();
    const count = context.size(40, 400);
    const sources = await makeSources(join(context.folder, 'in'), count);
    const queue = await openCase(context, engine, {
      name: 'cancelled from elsewhere',
      maxConcurrent: 4,
      resultQuery: 'signature=secret',
    });
    const http = createHttp();
    const other = await openQueue({
      dataFolder: queue.dataFolder,
      clock: systemClock,
      random: Math.random,
      connections: createConnectionRegistry(http, [queue.connection]),
      role: 'command',
      onProgress: () => undefined,
      onDefect: (error) => {
        throw error;
      },
    });
    context.onEnd(async () => {
      await other.stop();
      await http.close();
    });
    const states = new Map<string, number>();
    // Every moment of a job's end is met by some of them.
    queue.store.onEvent((news) => {
      if (news.kind !== 'upserted') return;
      for (const { id, state } of news.jobs) {
        const isMoment = state === 'converted' || state === 'publishing';
        if (!isMoment || context.random.next() < 0.4) continue;
        const delayMs = context.random.next() * 12;
        void sleep(delayMs).then(() => other.scheduler.cancel(id));
      }
    });
    queue.scheduler.start();
    const ids = await queue.convert(sources);
    const jobs = await queue.ended(ids);
    await queue.quiet();
    const endedMs = performance.now();
    while ((await queue.temporaries()).length > 0) {
      if (performance.now() - endedMs > longestMs) throw new Failed('a temporary file of a cancelled job is left');
      await sleep(5);
    }
    for (const { id, output } of jobs) {
      const { state, audioUrl } = queue.job(id);
      states.set(state, (states.get(state) ?? 0) + 1);
      const isThere = output !== null && existsSync(output.path);
      must(isThere === (state === 'done'), `${state}, and its file is ${isThere ? '' : 'not '}there`);
      must(state !== 'done' || audioUrl === null, 'a done job still has its address');
    }
    const files = await queue.outputs();
    must(files.length === (states.get('done') ?? 0), `${files.length} files of ${states.get('done') ?? 0} results`);
    await other.stop();
    await http.close();
    await queue.close();
    return { jobs: count, done: states.get('done') ?? 0, cancelled: states.get('cancelled') ?? 0 };
  },
};
