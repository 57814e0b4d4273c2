import { describe, expect, it } from 'vitest';
import { judgeAdvisories, lockSha256, storedAdvisories, type Advisories } from './advisories.mts';

describe('advisories', () => {
  const nowMs = Date.parse('2026-03-09');
  const answer = (found: Advisories['found'] = [], asked = '2026-03-01'): Advisories => ({
    asked,
    lockSha256: 'now',
    found,
  });
  const hole = (severity: string) => ({ name: 'electron', severity, titles: ['Use after free'] });

  it('contain none of severity high or above for any package (skipped if npm was not queried for 30 days)', (context) => {
    const judged = judgeAdvisories(storedAdvisories(), lockSha256(), Date.now());
    if (judged.kind === 'not-asked') {
      context.skip(judged.why);
      return;
    }
    expect(judged.holes).toEqual([]);
  });

  it.each(['high', 'critical'])('of %s severity fail, however old they are', (severity) => {
    for (const asked of ['2026-03-01', '2025-03-01']) {
      const judged = judgeAdvisories(answer([hole('low'), hole(severity)], asked), 'now', nowMs);
      expect(judged).toEqual({ kind: 'asked', holes: [`electron (${severity}): Use after free`] });
    }
  });

  it('with an exception pass until its last day, and fail from the next one', () => {
    const exceptions = [{ name: 'electron', until: '2026-03-09', why: 'Timbre opens no such window' }];
    const judgedAt = (date: string) => judgeAdvisories(answer([hole('high')]), 'now', Date.parse(date), exceptions);
    expect(judgedAt('2026-03-09T23:59Z')).toEqual({ kind: 'asked', holes: [] });
    expect(judgedAt('2026-03-10')).toEqual({ kind: 'asked', holes: ['electron (high): Use after free'] });
  });

  it('below high severity pass', () => {
    const judged = judgeAdvisories(answer([hole('moderate'), hole('low')]), 'now', nowMs);
    expect(judged).toEqual({ kind: 'asked', holes: [] });
  });

  it.each([
    ['were never asked for', null, 'now', 'never'],
    ['were asked for other packages', answer(), 'other', 'changed'],
    ['knew of nothing more than 30 days ago', answer([], '2026-01-30'), 'now', '30 days'],
  ])('that %s do not count as queried', (_what, stored, lock, why) => {
    expect(judgeAdvisories(stored, lock, nowMs)).toEqual({
      kind: 'not-asked',
      why: expect.stringContaining(why) as string,
    });
  });
});
