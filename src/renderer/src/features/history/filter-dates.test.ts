import { describe, expect, test } from 'vitest';
import { readFilter } from '../../state/query-parts.ts';
import { spanOf, spans, startOf } from './filter-dates.ts';

const now = new Date(2026, 2, 3, 0, 30).getTime();
const filters = (...texts: readonly string[]) => texts.map(readFilter).filter((filter) => filter !== null);

describe('a span of time', () => {
  test('begins so many days before today, by the calendar', () => {
    expect(spans.map((span) => startOf(span, now))).toEqual([
      null,
      '2026-03-03',
      '2026-02-25',
      '2026-02-02',
      '2026-01-01',
    ]);
  });

  test('is known again from its filter', () => {
    for (const span of spans) {
      const start = startOf(span, now);
      expect(spanOf(start === null ? [] : filters(`after:${start}`), now)).toBe(span);
    }
  });

  test('is another where the filters say more, or something else', () => {
    expect(spanOf(filters('after:2026'), now)).toBe('other');
    expect(spanOf(filters('after:2026-03-03', 'before:2026-03-04'), now)).toBe('other');
    expect(spanOf(filters('-after:2026-03-03'), now)).toBe('other');
  });
});
