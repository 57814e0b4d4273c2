import { describe, expect, it } from 'vitest';
import { conversionJob } from '../../main/core/jobs/job.fixture.ts';
import { messagesFor } from '../../shared/messages/index.ts';
import { progressText, secondsLeft } from './progress-text.ts';

const now = 100_000;
const waiting = (durationSeconds: number | null) => conversionJob({ durationSeconds });
const underWay = (durationSeconds: number, startedSecondsAgo: number) =>
  conversionJob({ state: 'converting', durationSeconds, startedAt: now - startedSecondsAgo * 1000 });
const done = conversionJob({ state: 'done', durationSeconds: 100, startedAt: 0 });
const left = (jobs: readonly ReturnType<typeof waiting>[], secondsPerSecond: number | null = 2, atOnce = 1) =>
  secondsLeft(jobs, { secondsPerSecond, atOnce }, now);

describe('the time that is left', () => {
  it('is what the sound that is left costs at this person’s pace', () => {
    expect(left([waiting(10), waiting(20), done])).toBe(60);
  });

  it('is shared by as many as may be under way at once, but no shorter than the longest of them', () => {
    expect(left([waiting(10), waiting(10), waiting(10), waiting(10)], 2, 4)).toBe(20);
    expect(left([waiting(50), waiting(10)], 2, 4)).toBe(100);
  });

  it('is less by what was spent on a recording already, and never below nothing', () => {
    expect(left([underWay(10, 15)])).toBe(5);
    expect(left([underWay(10, 500)])).toBe(0);
  });

  it('takes a recording whose length nobody knows yet for as long as the others are', () => {
    expect(left([waiting(10), waiting(null)])).toBe(40);
  });

  it('is not guessed without a past, or without any length', () => {
    expect(left([waiting(10)], null)).toBeNull();
    expect(left([waiting(null)])).toBeNull();
    expect(left([done])).toBeNull();
  });
});

describe('the line of a batch', () => {
  const jobs = [done, done, underWay(10, 1), waiting(10)];

  it.each([
    ['en', null, [], '2 of 4 done, 1 under way'],
    ['en', 120, [], '2 of 4 done, 1 under way, about 2 min left'],
    ['en', 120, ['No network, trying again'], '2 of 4 done, 1 under way, No network, trying again'],
    ['de', 120, [], '2 von 4 fertig, 1 in Arbeit, noch etwa 2 min'],
  ])('says in %s how far it is, and why it waits', (language, seconds, reasons, text) => {
    expect(progressText(jobs, seconds, reasons, messagesFor(language)).replaceAll('\u00a0', ' ')).toBe(text);
  });

  it('says nothing of what is not under way', () => {
    expect(progressText([done], null, [], messagesFor('en'))).toBe('1 of 1 done');
  });
});
