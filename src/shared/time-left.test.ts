import { describe, expect, test } from 'vitest';
import { queueSecondsLeft, roughly, soundSeconds, type TimedJob } from './time-left.ts';

const now = 1_000_000;
const paces: Readonly<Record<string, number>> = { local: 0.5, north: 2 };
const left = (...jobs: readonly TimedJob[]) =>
  queueSecondsLeft(jobs, {
    realTimeFactorOf: (id) => paces[id] ?? null,
    isRunning: ({ state }) => state === 'uploading' || state === 'converting',
    now,
  });
const jobOf = (state: TimedJob['state'], change: Partial<TimedJob>): TimedJob => ({
  kind: 'conversion',
  state,
  stateChangedAt: now,
  connectionId: 'local',
  durationSeconds: 300,
  ...change,
});
const uploading = (change: Partial<TimedJob> = {}) => jobOf('uploading', change);
const queued = (change: Partial<TimedJob> = {}) => jobOf('queued', change);

describe('the time that is left', () => {
  test('is the open audio at the measured speed, divided among the jobs that run in parallel', () => {
    expect(left(uploading(), queued(), queued(), queued())).toBe(600);
    expect(left(uploading(), uploading(), queued(), queued())).toBe(300);
  });

  test('is no shorter than the longest recording', () => {
    expect(left(uploading({ durationSeconds: 1000 }), uploading({ durationSeconds: 10 }))).toBe(500);
  });

  test('leaves out the converted part, and is never negative', () => {
    const converting = { state: 'converting', stateChangedAt: now - 50_000 } as const;
    expect(left(uploading(converting))).toBe(100);
    expect(left(uploading({ ...converting, stateChangedAt: now - 500_000 }))).toBeNull();
  });

  test('is that of the slowest connection', () => {
    expect(left(uploading(), uploading({ connectionId: 'north' }))).toBe(600);
  });

  test('is unknown without a speed, without a duration, or if a connection is paused', () => {
    expect(left(uploading({ connectionId: 'new' }))).toBeNull();
    expect(left(uploading(), queued({ durationSeconds: null }))).toBeNull();
    expect(left(uploading(), queued({ connectionId: 'north' }))).toBeNull();
    expect(left()).toBeNull();
  });

  test('is rounded by its uncertainty', () => {
    expect([2, 41, 63, 400, 1490, 9000].map(roughly)).toEqual([5, 40, 60, 420, 1500, 9000]);
  });
});

test('the audio of a queue is known if the duration of every recording is known; texts have none', () => {
  expect(soundSeconds([queued(), queued()])).toBe(600);
  expect(soundSeconds([queued(), queued({ kind: 'speech', durationSeconds: null })])).toBe(300);
  expect(soundSeconds([queued(), queued({ durationSeconds: null })])).toBeNull();
  expect(soundSeconds([])).toBeNull();
});
