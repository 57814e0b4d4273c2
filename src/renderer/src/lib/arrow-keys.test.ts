import { describe, expect, test } from 'vitest';
import { cellAfter } from './arrow-keys.ts';

describe('keys in a grid', () => {
  // Three rows of four, the last with two.
  const go = (key: string, here: number) => cellAfter(key, here, 10, 4);

  test('move along the row and over its end', () => {
    expect([go('ArrowRight', 3), go('ArrowLeft', 4), go('ArrowRight', 9), go('ArrowLeft', 0)]).toEqual([4, 3, 9, 0]);
  });

  test('move between rows in their column, and to the last voice where the last row is shorter', () => {
    expect([go('ArrowDown', 1), go('ArrowUp', 5), go('ArrowDown', 7), go('ArrowDown', 5)]).toEqual([5, 1, 9, 9]);
  });

  test('stay where there is nowhere to go', () => {
    expect([go('ArrowUp', 2), go('ArrowDown', 8)]).toEqual([2, 8]);
  });

  test('find both ends, and leave all other keys alone', () => {
    expect([go('Home', 7), go('End', 0), go('x', 3)]).toEqual([0, 9, undefined]);
  });
});
