import { expect, test } from 'vitest';
import { jobActions } from './job-actions.ts';
import { jobOf } from './job.fixture.ts';
import { jobsApi } from './jobs-api.fixture.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';
import { Jobs } from './jobs.svelte.ts';

const history = { drag: () => Promise.resolve({ names: [] }), copyPaths: () => Promise.resolve({ paths: 0 }) };

test('another voice for a job is chosen in the form with its settings, not for the next jobs', () => {
  const opened: string[] = [];
  const jobs = new Jobs({ jobs: jobsApi(), history }, createInternalDrag());
  const { onaction } = jobActions(jobs, {
    chooseFolder: () => Promise.resolve(),
    convertDifferently: ({ id }) => void opened.push(id),
    runRemedy: (remedy) => void opened.push(remedy),
  });
  onaction(jobOf('a', { state: 'failed', problem: { code: 'voice/not-found' } }), 'choose-voice');
  expect(opened).toEqual(['a']);
});
