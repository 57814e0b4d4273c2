import { describe, expect, test } from 'vitest';
import type { JobInfo } from '../../../../shared/wire/job.ts';
import { jobOf } from '../../state/job-of.fixture.ts';
import { isUnderWay } from '../../state/under-way.ts';
import { queueSecondsLeft, roughly, soundSeconds } from './time-left.ts';

const now = 1_000_000;
const paces: Readonly<Record<string, number>> = { local: 0.5, north: 2 };
const left = (...jobs: readonly JobInfo[]) =>
  queueSecondsLeft(jobs, {
    paceOf: (id) => paces[id] ?? null,
    isUnderWay: (job) => isUnderWay(job, undefined),
    now,
  });
const uploading = (id: string, change: Partial<JobInfo> = {}) => jobOf(id, { state: 'uploading', ...change });
const queued = (id: string, change: Partial<JobInfo> = {}) => jobOf(id, { state: 'queued', ...change });

describe('the time that is left', () => {
  test('is the open sound at this person’s pace, shared by as many as run side by side', () => {
    expect(left(uploading('a'), queued('b'), queued('c'), queued('d'))).toBe(600);
    expect(left(uploading('a'), uploading('b'), queued('c'), queued('d'))).toBe(300);
  });

  test('is no shorter than the longest recording', () => {
    expect(left(uploading('a', { durationSeconds: 1000 }), uploading('b', { durationSeconds: 10 }))).toBe(500);
  });

  test('leaves out what is done of a conversion, and never goes below zero', () => {
    const converting = { state: 'converting', since: now - 50_000 } as const;
    expect(left(uploading('a', converting))).toBe(100);
    expect(left(uploading('a', { ...converting, since: now - 500_000 }))).toBeNull();
  });

  test('is that of the slowest connection', () => {
    expect(left(uploading('a'), uploading('b', { connectionId: 'north' }))).toBe(600);
  });

  test('is not known without a pace, without a length, or where a connection stands still', () => {
    expect(left(uploading('a', { connectionId: 'new' }))).toBeNull();
    expect(left(uploading('a'), queued('b', { durationSeconds: null }))).toBeNull();
    expect(left(uploading('a'), queued('b', { connectionId: 'north' }))).toBeNull();
    expect(left()).toBeNull();
  });

  test('is told as roughly as it is known', () => {
    expect([2, 41, 63, 400, 1490, 9000].map(roughly)).toEqual([5, 40, 60, 420, 1500, 9000]);
  });
});

test('the sound of a queue is told when every recording’s length is known; texts have none', () => {
  expect(soundSeconds([queued('a'), queued('b')])).toBe(600);
  expect(soundSeconds([queued('a'), queued('b', { kind: 'speech', durationSeconds: null })])).toBe(300);
  expect(soundSeconds([queued('a'), queued('b', { durationSeconds: null })])).toBeNull();
  expect(soundSeconds([])).toBeNull();
});
