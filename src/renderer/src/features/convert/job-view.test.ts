import { describe, expect, test } from 'vitest';
import { messagesFor } from '../../../../shared/messages/index.ts';
import type { JobInfo, JobProgress } from '../../../../shared/wire/job.ts';
import { jobStates } from '../../../../shared/wire/job.ts';
import { jobOf } from '../../state/job-of.fixture.ts';
import { viewOf } from './job-view.ts';

const messages = messagesFor('en');
const now = Date.UTC(2026, 10, 20, 14, 3, 20);
const plain = (text: string): string => text.replace(/\u00a0/g, ' ');

function view(change: Partial<JobInfo>, progress?: JobProgress, isNext = false) {
  return viewOf(jobOf('a', change), { progress, isNext, now: () => now, messages });
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
    const { words, more, sent, made } = view({ state: 'uploading' }, step('upload', 31e6, 58e6));
    expect([words, plain(more), made]).toEqual(['Uploading', '31 of 58 MB', 0]);
    expect(sent).toBeCloseTo(31 / 58);
  });

  test('lets the lower half grow with the download', () => {
    const { words, more, sent, made } = view({ state: 'publishing' }, step('download', 11e6, 44e6));
    expect([words, plain(more), sent, made]).toEqual(['Downloading', '11 of 44 MB', 1, 0.25]);
  });

  test('tells bytes alone where the total is not known', () => {
    expect(plain(view({ state: 'converted' }, step('download', 3e6, null)).more)).toBe('3 MB so far');
  });

  test('takes no progress of another step for its own', () => {
    expect(view({ state: 'uploading' }, step('download', 1, 2))).toMatchObject({ more: '', sent: 0 });
  });

  test('is saving once all has come', () => {
    expect(view({ state: 'publishing' }, step('download', 44, 44)).words).toBe('Saving');
    expect(view({ state: 'publishing' }).words).toBe('Saving');
  });

  test('tells elapsed time while converting, and never below zero', () => {
    expect(plain(view({ state: 'converting', since: now - 12_400 }).more)).toBe('12 s so far');
    expect(plain(view({ state: 'converting', since: now + 5000 }).more)).toBe('0 s so far');
  });

  test('says which one is next', () => {
    expect(view({ state: 'queued' }, undefined, true).more).toBe('next');
    expect(view({ state: 'queued' }).more).toBe('');
  });

  test('that failed tells what to do and what the service said', () => {
    const problem = { code: 'service/refused', words: 'Voice is required.' } as const;
    expect(view({ state: 'failed', problem })).toMatchObject({
      tone: 'bad',
      words: 'The service refused this',
      said: 'Voice is required.',
      actions: ['retry'],
    });
  });

  test('that is uncertain offers to convert again or to leave it, and nothing that could pay by itself', () => {
    expect(view({ state: 'uncertain' })).toMatchObject({ tone: 'ask', actions: ['convert-again', 'leave'] });
  });
});
