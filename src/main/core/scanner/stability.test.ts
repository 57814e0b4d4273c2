import { describe, expect, it } from 'vitest';
import type { Signature } from '../files/identity.ts';
import {
  startQuiet,
  wasFinishedBeforeArrival,
  isQuiet,
  isStable,
  neededQuietMs,
  nextQuiet,
  nextSample,
} from './stability.ts';

const signature = (sizeBytes: number, changes: Partial<Signature> = {}): Signature => ({
  device: '1',
  inode: '2',
  sizeBytes,
  modifiedNs: `${1_000_000_000_000 + sizeBytes}`,
  changedNs: '5',
  ...changes,
});

describe('nextQuiet', () => {
  it('takes two seconds if the writer did not pause', () => {
    const quiet = startQuiet(signature(1), 1000);
    expect(isQuiet(quiet, 2999)).toBe(false);
    expect(isQuiet(quiet, 3000)).toBe(true);
  });

  it('grows to three times the writer’s longest pause, at most a minute', () => {
    const slow = nextQuiet(nextQuiet(startQuiet(signature(1), 0), signature(2), 3000), signature(3), 3500);
    expect(neededQuietMs(slow)).toBe(9000);
    expect(isQuiet(slow, 12_499)).toBe(false);
    expect(isQuiet(slow, 12_500)).toBe(true);
    expect(neededQuietMs(nextQuiet(slow, signature(4), 100_000))).toBe(60_000);
  });

  it('does not count a pause during which a program had the file open', () => {
    const held = { ...startQuiet(signature(1), 0), openAt: 19_500 };
    const written = nextQuiet(held, signature(2), 20_000);
    expect(neededQuietMs(written)).toBe(2000);
    expect(neededQuietMs(nextQuiet(written, signature(3), 24_000))).toBe(12_000);
  });

  it('takes five seconds if the writer may be unseen, and a minute if the file looks unfinished', () => {
    const unseen = { ...startQuiet(signature(1), 0), writerUnknown: 'unseen' } as const;
    expect(neededQuietMs(unseen)).toBe(5000);
    expect(neededQuietMs({ ...unseen, longestGapMs: 6000 })).toBe(18_000);
    expect(neededQuietMs({ ...unseen, writerUnknown: 'unfinished' })).toBe(60_000);
    expect(nextQuiet({ ...unseen, writerUnknown: 'unfinished' }, signature(2), 1000).writerUnknown).toBe('none');
  });

  it('is not ended by a new name, link or permission', () => {
    const quiet = nextQuiet(startQuiet(signature(1), 0), signature(1, { changedNs: '9' }), 1500);
    expect(isQuiet(quiet, 2000)).toBe(true);
  });

  it('is ended by another time with the same size, and by another file', () => {
    expect(nextQuiet(startQuiet(signature(1), 0), signature(1, { modifiedNs: '7' }), 1500).changedAt).toBe(1500);
    expect(nextQuiet(startQuiet(signature(1), 0), signature(1, { inode: '7' }), 1500).changedAt).toBe(1500);
  });
});

describe('wasFinishedBeforeArrival', () => {
  const writtenAt = 1_000_000;
  const quiet = startQuiet(signature(0, { modifiedNs: `${writtenAt}000000` }), 100);

  it('needs two seconds by the wall clock, and a time in the past', () => {
    expect(wasFinishedBeforeArrival(quiet, 100, writtenAt + 1999)).toBe(false);
    expect(wasFinishedBeforeArrival(quiet, 100, writtenAt + 2000)).toBe(true);
    expect(wasFinishedBeforeArrival(quiet, 100, writtenAt - 5000)).toBe(false);
  });

  it('counts until the first check, because a writer may pause after it', () => {
    expect(wasFinishedBeforeArrival(quiet, 3100, writtenAt + 3000)).toBe(false);
    expect(wasFinishedBeforeArrival(quiet, 3100, writtenAt + 5000)).toBe(true);
  });

  it('is false for a file that changed at the gate', () => {
    const changed = nextQuiet(quiet, signature(0, { modifiedNs: '1' }), 110);
    expect(wasFinishedBeforeArrival(changed, 110, writtenAt + 9000)).toBe(false);
  });
});

describe('nextSample', () => {
  it('needs two equal checks at least 100 ms apart', () => {
    const first = nextSample(null, signature(1), 0);
    expect(isStable(first)).toBe(false);
    expect(isStable(nextSample(first, signature(1), 99))).toBe(false);
    expect(isStable(nextSample(first, signature(1), 100))).toBe(true);
  });

  it('starts over with any difference', () => {
    const stable = nextSample(nextSample(null, signature(1), 0), signature(1), 100);
    expect(isStable(nextSample(stable, signature(1, { changedNs: '6' }), 200))).toBe(false);
  });
});
