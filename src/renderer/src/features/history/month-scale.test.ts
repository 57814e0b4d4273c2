import { describe, expect, test } from 'vitest';
import type { HistoryMonth } from '../../../../shared/schemas/history.ts';
import { layoutMonths, monthAt, monthOfRow, rowOfMonth, monthOffset, barWidth } from './month-scale.ts';

const at = (year: number, month: number): number => new Date(year, month).getTime();
const months: readonly HistoryMonth[] = [
  [at(2026, 1), 100, 40, 0],
  [at(2026, 0), 50, 0, 40],
  [at(2025, 11), 10, 10, 40],
];

describe('the month scale', () => {
  test('draws bars relative to the busiest month, and never an invisible one', () => {
    const { bars } = layoutMonths(months, 600);
    expect(bars.map(({ entries }) => entries)).toEqual([1, 0.5, 0.1]);
    expect([barWidth(0.001, 40), barWidth(0, 40), barWidth(1, 40)]).toEqual([3, 0, 40]);
  });

  test('labels each year at its newest month if there is room', () => {
    expect(layoutMonths(months, 600).years.map(({ year }) => year)).toEqual([2026, 2025]);
    const many = Array.from({ length: 600 }, (_, k): HistoryMonth => [at(2026, -k), 1, 1, k]);
    const { years } = layoutMonths(many, 600);
    years.slice(1).forEach(({ y }, k) => expect(y - (years[k]?.y ?? 0)).toBeGreaterThanOrEqual(16));
  });

  test('maps rows to months and back, skipping months without matches', () => {
    expect([0, 20, 39, 40, 49].map((row) => Math.floor(monthOfRow(months, row)))).toEqual([0, 0, 0, 2, 2]);
    expect([0, 0.5, 1.5, 2, 2.999, 9].map((month) => rowOfMonth(months, month))).toEqual([0, 19, 40, 40, 48, 49]);
  });

  test('finds the month under the pointer', () => {
    const scale = layoutMonths(months, 600);
    expect(monthAt(scale, monthOffset(scale, 1.25))).toBeCloseTo(1.25);
    expect(monthAt(scale, -10)).toBe(0);
  });

  test('is empty without months', () => {
    expect(layoutMonths([], 600).bars).toEqual([]);
    expect([monthOfRow([], 0), rowOfMonth([], 0)]).toEqual([0, 0]);
  });
});
