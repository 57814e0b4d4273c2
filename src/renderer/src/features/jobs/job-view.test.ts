import { describe, expect, test } from 'vitest';
import { en } from '../../../../shared/messages/en.ts';
import { type JobInfo, type JobProgress, jobStates, type PauseReason } from '../../../../shared/schemas/job.ts';
import { jobOf } from './job-of.fixture.ts';
import { jobView } from './job-view.ts';

const messages = en;
const now = Date.UTC(2026, 10, 20, 14, 3, 20);
const plain = (text: string): string => text.replace(/\u00a0/g, ' ');

interface Around {
  readonly progress?: JobProgress | undefined;
  readonly isNext?: boolean;
  readonly held?: PauseReason;
  readonly pace?: number;
}
function view(change: Partial<JobInfo>, { progress, isNext = false, held, pace }: Around = {}) {
  const around = { progress, isNext, held: held ?? null, pace: pace ?? null, now: () => now, messages };
  return jobView(jobOf('a', change), around);
}
const step = (direction: JobProgress['direction'], doneBytes: number, totalBytes: number | null): JobProgress => ({
  id: 'a',
  direction,
  doneBytes,
  totalBytes,
});

describe('a row', () => {
  test.each(jobStates)('says something in state %s', (state) => {
    expect(view({ state }).words).not.toBe('');
  });

  test('tells how much of the upload has passed, in words and in the upper half', () => {
    const { words, more, sent, made } = view({ state: 'uploading' }, { progress: step('upload', 31e6, 58e6) });
    expect([words, plain(more), made]).toEqual(['Uploading', '31 of 58 MB', 0]);
    expect(sent).toBeCloseTo(31 / 58);
  });

  test('lets the lower half grow with the download', () => {
    const { words, more, sent, made } = view({ state: 'publishing' }, { progress: step('download', 11e6, 44e6) });
    expect([words, plain(more), sent, made]).toEqual(['Downloading', '11 of 44 MB', 1, 0.25]);
  });

  test('tells bytes alone where the total is not known', () => {
    expect(plain(view({ state: 'converted' }, { progress: step('download', 3e6, null) }).more)).toBe('3 MB so far');
  });

  test('takes no progress of another step for its own', () => {
    expect(view({ state: 'uploading' }, { progress: step('download', 1, 2) })).toMatchObject({ more: '', sent: 0 });
  });

  test('is saving once all has come', () => {
    expect(view({ state: 'publishing' }, { progress: step('download', 44, 44) }).words).toBe('Saving');
    expect(view({ state: 'publishing' }).words).toBe('Saving');
  });

  test('tells elapsed time while converting, and never below zero', () => {
    expect(plain(view({ state: 'converting', stateChangedAt: now - 12_400 }).more)).toBe('12 s so far');
    expect(plain(view({ state: 'converting', stateChangedAt: now + 5000 }).more)).toBe('0 s so far');
  });

  test('says which one is next', () => {
    expect(view({ state: 'queued' }, { isNext: true }).more).toBe('next');
    expect(view({ state: 'queued' }).more).toBe('');
  });

  test.each([
    ['created', 'Uploads next', 0],
    ['uploaded', 'Converts next', 1],
    ['converted', 'Saves next', 1],
  ] as const)('that rests as %s says what comes next', (state, words, sent) => {
    expect(view({ state })).toMatchObject({ tone: 'wait', words, more: '', sent });
  });

  test('that a pause holds up says so, and keeps its place in the work', () => {
    expect(view({ state: 'queued' }, { held: 'person', isNext: true })).toMatchObject({ words: 'Paused', more: '' });
    expect(view({ state: 'uploaded' }, { held: 'person' })).toMatchObject({ words: 'Paused', more: 'Converts next' });
    expect(view({ state: 'queued' }, { held: 'offline' })).toMatchObject({ words: 'Waiting', more: 'for the network' });
  });

  test('that is under way goes on to the end of its step while the queue is paused', () => {
    expect(view({ state: 'uploading' }, { held: 'person' })).toMatchObject({ tone: 'run', words: 'Uploading' });
    const progress = step('download', 1, 4);
    expect(view({ state: 'converted' }, { held: 'person', progress })).toMatchObject({
      words: 'Downloading',
      made: 0.25,
    });
  });

  test('that is tried again says why, when, and how often it was tried', () => {
    const problem = { code: 'network/timeout', words: 'Slow down.' } as const;
    const later = view({ state: 'uploaded', nextTryAt: now + 41_000, attempts: 3, problem });
    expect(later).toMatchObject({ tone: 'later', words: 'The service didn’t respond in time', said: 'Slow down.' });
    expect(later.more).toMatch(/^Next try at \d\d:\d\d:\d\d, tried 3 times$/);
    const due = view({ state: 'queued', nextTryAt: now - 1, attempts: 1, problem });
    expect(due.more).toBe('Trying again soon, tried once');
  });

  test('that converts says about how long it still takes, and nothing when it takes longer than others did', () => {
    const converting = { state: 'converting', stateChangedAt: now - 20_000, durationSeconds: 100 } as const;
    expect(plain(view(converting, { pace: 0.6 }).more)).toBe('20 s so far, about 40 s left');
    expect(plain(view(converting, { pace: 0.1 }).more)).toBe('20 s so far');
    expect(plain(view(converting).more)).toBe('20 s so far');
  });

  test('that failed tells what to do and what the service said', () => {
    const problem = { code: 'service/refused', words: 'Voice is required.' } as const;
    expect(view({ state: 'failed', problem })).toMatchObject({
      tone: 'bad',
      words: 'The service refused the request',
      said: 'Voice is required.',
      actions: ['retry'],
    });
  });

  test('that was cancelled after its paid call had left says so, and offers nothing that could pay by itself', () => {
    const problem = { code: 'service/may-charge' } as const;
    expect(view({ state: 'cancelled', problem })).toMatchObject({ tone: 'ask', actions: ['convert-again', 'leave'] });
    expect(view({ state: 'cancelled' })).toMatchObject({ tone: 'calm', words: 'Cancelled' });
  });

  test('that is uncertain offers to convert again or to leave it, and nothing that could pay by itself', () => {
    expect(view({ state: 'uncertain' })).toMatchObject({ tone: 'ask', actions: ['convert-again', 'leave'] });
  });
});
