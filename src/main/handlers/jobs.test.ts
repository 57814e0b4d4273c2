import { expect, it } from 'vitest';
import { conversionJob, speechJob } from '../core/jobs/job.fixture.ts';
import type { StoredPause } from '../core/jobs/circuit-breaker.ts';
import type { Job } from '../core/jobs/job.ts';
import { failedAlike, toJobInfo, toPauses } from './jobs.ts';

it('a row of a text has the length of its result once it is done, and not while estimates read it', () => {
  expect(toJobInfo(speechJob({ state: 'done', durationSeconds: 12.5 })).durationSeconds).toBe(12.5);
  expect(toJobInfo(speechJob({ state: 'publishing', durationSeconds: 12.5 })).durationSeconds).toBeNull();
  expect(toJobInfo(conversionJob({ state: 'converting', durationSeconds: 3 })).durationSeconds).toBe(3);
});

it('all that failed for one folder are saved in another one together', () => {
  const failed = (id: string, folder: string): Job =>
    conversionJob({
      id,
      state: 'failed',
      problem: { code: 'output/not-writable', facts: { folder, reason: 'EROFS' } },
    });
  const all = [failed('a', '/disk'), failed('b', '/other'), conversionJob({ id: 'c' }), failed('d', '/disk')];
  const jobs = Array.from({ length: 60 }, () => all)
    .flat()
    .map((job, position): Job => ({ ...job, id: `${job.id}${position}`, position }));
  const found = failedAlike(
    {
      get: (id) => jobs.find((job) => job.id === id),
      page: (after, limit) => jobs.filter(({ position }) => after === null || position > after).slice(0, limit),
    },
    'a0',
  );
  expect(found).toHaveLength(120);
  expect(found.every((id) => id.startsWith('a') || id.startsWith('d'))).toBe(true);
});

it('pauses for the network are hidden while the user works offline, except those of other services', () => {
  const pauseOf = (reason: StoredPause['reason'], connectionId: string): StoredPause => ({
    ...{ connectionId, reason, since: 0, resumesAt: 5, tries: 1, problem: null },
  });
  const held = [pauseOf('offline', 'north'), pauseOf('token', 'north'), pauseOf('rate', 'south')];
  expect(toPauses(held)).toHaveLength(3);
  const shown = toPauses([...held, pauseOf('offline-mode', 'north')]);
  expect(shown.map(({ reason }) => reason)).toEqual(['token', 'rate', 'offline-mode']);
});
