import { describe, expect, test } from 'vitest';
import { removeUnlisted, layoutRows, rowAt, visibleRows, scrollTopFor } from './row-layout.ts';

const mixed = layoutRows(6, (k) => (k === 2 ? 87 : 64));

describe('row layout', () => {
  test('stacks rows of different heights', () => {
    expect(Array.from(mixed.tops)).toEqual([0, 64, 128, 215, 279, 343, 407]);
    expect(mixed.total).toBe(407);
  });

  test('finds the row at an offset', () => {
    expect([0, 63, 64, 214, 215, 9999, -5].map((offset) => rowAt(mixed, offset))).toEqual([0, 0, 1, 2, 3, 5, 0]);
  });

  test('renders few of many rows', () => {
    const many = layoutRows(10_000, () => 64);
    expect(visibleRows(many, 320_000, 600)).toEqual({ first: 4996, end: 5014 });
    expect(visibleRows(many, 0, 600).first).toBe(0);
    expect(visibleRows(many, many.total, 600).end).toBe(10_000);
  });

  test('renders nothing for an empty list', () => {
    expect(
      visibleRows(
        layoutRows(0, () => 64),
        0,
        600,
      ),
    ).toEqual({ first: 0, end: 0 });
  });

  test('scrolls only as far as needed', () => {
    expect(scrollTopFor(mixed, 0, 100, 200)).toBe(0);
    expect(scrollTopFor(mixed, 5, 0, 200)).toBe(207);
    expect(scrollTopFor(mixed, 1, 64, 200)).toBe(64);
  });
});

test('drops the heights of rows that left the list', () => {
  const measured = new Map<string, number>();
  for (let k = 0; k < 10_000; k += 1) {
    measured.set(`row ${k}`, 90);
    removeUnlisted(measured, () => Array.from({ length: 20 }, (_, n) => `row ${k - n}`));
  }
  expect(measured.size).toBeLessThanOrEqual(500);
  expect(measured.has('row 9999')).toBe(true);
});
