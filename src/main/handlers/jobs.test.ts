import { expect, it } from 'vitest';
import { conversionJob, speechJob } from '../core/jobs/job.fixture.ts';
import type { StoredPause } from '../core/jobs/circuit-breaker.ts';
import { toJobInfo, toPauses } from './jobs.ts';

it('a row of a text has the length of its result once it is done, and not while estimates read it', () => {
  expect(toJobInfo(speechJob({ state: 'done', durationSeconds: 12.5 })).durationSeconds).toBe(12.5);
  expect(toJobInfo(speechJob({ state: 'publishing', durationSeconds: 12.5 })).durationSeconds).toBeNull();
  expect(toJobInfo(conversionJob({ state: 'converting', durationSeconds: 3 })).durationSeconds).toBe(3);
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
