import { expect, it } from 'vitest';
import { conversionJob, speechJob } from '../core/jobs/job.fixture.ts';
import { toJobInfo } from './jobs.ts';

it('a row of a text has the length of its result once it is done, and not while estimates read it', () => {
  expect(toJobInfo(speechJob({ state: 'done', durationSeconds: 12.5 })).durationSeconds).toBe(12.5);
  expect(toJobInfo(speechJob({ state: 'publishing', durationSeconds: 12.5 })).durationSeconds).toBeNull();
  expect(toJobInfo(conversionJob({ state: 'converting', durationSeconds: 3 })).durationSeconds).toBe(3);
});
