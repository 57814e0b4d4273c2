import { loadMessages } from '../../../../shared/messages/index.ts';
import { describe, expect, it } from 'vitest';
import { amountText, axisLabels, stepLabel } from './statistics-labels.ts';

const en = await loadMessages('en');
const de = await loadMessages('de');
const ja = await loadMessages('ja');
const ko = await loadMessages('ko');
const ru = await loadMessages('ru');

const month = (year: number, k: number): number => new Date(year, k).getTime();
const months = (year: number, first: number, count: number) =>
  Array.from({ length: count }, (_, k) => month(year, first + k));
const amounts = {
  results: 1234,
  failed: 0,
  cancelled: 0,
  uncertain: 0,
  seconds: 60,
  unmeasured: 0,
  characters: 5678,
  spokenSeconds: 30,
  unmeasuredTexts: 0,
};

describe('the labels of a chart', () => {
  it('name each of twelve months, and its year where it begins', () => {
    expect(axisLabels(months(2025, 11, 12), 'month', en)).toEqual([
      'Dec',
      'Jan 2026',
      'Feb',
      'Mar',
      'Apr',
      'May',
      'Jun',
      'Jul',
      'Aug',
      'Sep',
      'Oct',
      'Nov',
    ]);
    expect(axisLabels(months(2026, 0, 3), 'month', de)).toEqual(['Jan 2026', 'Feb', 'Mär']);
  });

  it('have the year and the month in the order of the language', () => {
    const labelsIn = (messages: typeof en) => axisLabels(months(2025, 10, 3), 'month', messages);
    expect(labelsIn(ja)).toEqual(['2025年11月', '12月', '2026年1月']);
    expect(labelsIn(ko)).toEqual(['2025년 11월', '12월', '2026년 1월']);
    expect(labelsIn(ru)).toEqual(['нояб. 2025', 'дек.', 'янв. 2026']);
  });

  it('name only the years of more months', () => {
    const labels = axisLabels(months(2023, 10, 27), 'month', en);
    expect(labels.flatMap((label, k) => (label === null ? [] : [[k, label]]))).toEqual([
      [2, '2024'],
      [14, '2025'],
      [26, '2026'],
    ]);
  });

  it('name every fifth day, today among them', () => {
    const days = Array.from({ length: 30 }, (_, k) => new Date(2026, 10, 18 - 29 + k).getTime());
    const labels = axisLabels(days, 'day', en);
    expect(labels.filter((label) => label !== null)).toEqual([
      '24 Oct',
      '29 Oct',
      '3 Nov',
      '8 Nov',
      '13 Nov',
      '18 Nov',
    ]);
    expect(labels.at(-1)).toBe('18 Nov');
  });
});

describe('amounts', () => {
  it('are numbers of the language, with a decimal for a few minutes', () => {
    expect([amountText(amounts, 'results', en), amountText(amounts, 'characters', de)]).toEqual(['1,234', '5.678']);
    expect([amountText(amounts, 'seconds', en), amountText(amounts, 'seconds', de)]).toEqual(['1.5', '1,5']);
    const minutes = (seconds: number) => amountText({ ...amounts, seconds, spokenSeconds: 0 }, 'seconds', en);
    expect([minutes(0), minutes(599), minutes(6000 * 60)]).toEqual(['0', '10', '6,000']);
  });

  it('are of a month or a day', () => {
    expect(stepLabel(month(2026, 2), 'month', de)).toBe('März 2026');
    expect(stepLabel(new Date(2026, 2, 5).getTime(), 'day', en)).toBe('5 Mar 2026');
  });
});
