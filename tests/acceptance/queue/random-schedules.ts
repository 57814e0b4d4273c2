// Fails when any order of what people do loses a job, calls or pays too often, mixes up files, or leads along a way that is not allowed.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from '../../../src/main/core/random.fixture.ts';
import { Failed, type Scenario } from '../support/scenario.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { runSchedule } from '../support/queue/schedule.ts';

const stepsEach = 25;

export const scenario: Scenario = {
  id: 'Q15',
  title: 'the queue keeps its invariants in random schedules of users and services',
  async run(context) {
    const sources = await makeSources(join(context.folder, 'in'), 12, 0.1);
    const schedules = context.size(16, 1000);
    let jobs = 0;
    let steps = 0;
    let mostAtOnce = 0;
    for (let k = 1; k <= schedules; k += 1) {
      context.note(`schedule ${k}`);
      const folder = join(context.folder, String(k));
      const random = createRandom(context.random.seed, `Q15 ${k}`);
      try {
        const figures = await runSchedule(random, folder, sources, stepsEach);
        jobs += figures.jobs;
        steps += figures.steps;
        mostAtOnce = Math.max(mostAtOnce, figures.mostAtOnce);
      } catch (error) {
        if (error instanceof Failed) throw new Failed(`schedule ${k} of seed ${random.seed}: ${error.message}`);
        throw error;
      }
      await rm(folder, { recursive: true });
    }
    return { schedules, steps, jobs, 'most calls at once': mostAtOnce };
  },
};
