import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { Statistics, StatisticsQuery } from '../../../../shared/schemas/statistics.ts';
import { noStatistics } from '../../../../../tests/fakes/fake-statistics.ts';
import { HistoryStatistics } from './statistics.svelte.ts';

/** Statistics whose answers the test gives. */
function setUp() {
  const asked: StatisticsQuery[] = [];
  const answers: PromiseWithResolvers<Statistics>[] = [];
  const statistics = new HistoryStatistics({
    statistics(query) {
      asked.push(query);
      const answer = Promise.withResolvers<Statistics>();
      answers.push(answer);
      return answer.promise;
    },
  });
  return { statistics, asked, answers };
}
const query = { period: '12m', kind: 'all' } as const;
const valueOf = (year: number): Statistics => ({ ...noStatistics(query), years: [year] });

describe('the statistics of the view', () => {
  it('show the answer to what was asked last', async () => {
    const { statistics, asked, answers } = setUp();
    statistics.show();
    const last = statistics.select({ period: '2025' });
    answers[1]?.resolve(valueOf(2));
    await last;
    answers[0]?.resolve(valueOf(1));
    await Promise.resolve();
    expect(asked.map(({ period }) => period)).toEqual(['12m', '2025']);
    expect([statistics.value?.years, statistics.isLoading]).toEqual([[2], false]);
  });

  it('ignore that an earlier question was ended, and keep the last answer when the next one fails', async () => {
    const { statistics, answers } = setUp();
    const first = statistics.load();
    const second = statistics.load();
    answers[0]?.reject(new AppError('job/cancelled', 'ended'));
    answers[1]?.resolve(valueOf(2));
    await Promise.all([first, second]);
    expect(statistics.problem).toBeNull();
    const third = statistics.load();
    answers[2]?.reject(new AppError('data/unreadable', 'damaged'));
    await third;
    expect([statistics.problem?.code, statistics.value?.years, statistics.isLoading]).toEqual([
      'data/unreadable',
      [2],
      false,
    ]);
  });

  it('follow history while they are shown, one question at a time', async () => {
    const { statistics, asked, answers } = setUp();
    statistics.refresh();
    expect(asked).toEqual([]);
    const close = statistics.show();
    statistics.refresh();
    statistics.refresh();
    expect(asked).toHaveLength(1);
    answers[0]?.resolve(valueOf(1));
    await expect.poll(() => asked.length).toBe(2);
    answers[1]?.resolve(valueOf(2));
    await expect.poll(() => statistics.isLoading).toBe(false);
    close();
    statistics.refresh();
    expect([asked.length, statistics.value?.years]).toEqual([2, [2]]);
  });

  it('have no measure that the kind does not have', async () => {
    const { statistics, answers } = setUp();
    statistics.selectMeasure('characters');
    const recordings = statistics.select({ kind: 'conversion' });
    answers[0]?.resolve(valueOf(1));
    await recordings;
    expect(statistics.measure).toBe('results');
    void statistics.select({ kind: 'speech' });
    expect(statistics.measure).toBe('characters');
    statistics.selectMeasure('seconds');
    expect(statistics.measure).toBe('seconds');
  });
});
