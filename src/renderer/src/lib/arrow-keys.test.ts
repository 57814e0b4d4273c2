import { describe, expect, test } from 'vitest';
import { nextIndex } from './arrow-keys.ts';

describe('arrow keys in a grid', () => {
  // Ten elements in rows of four: the last row has two.
  const go = (key: string, here: number) => nextIndex(key, here, 10, { columns: 4 });

  test('move along a row and across its ends', () => {
    expect([go('ArrowRight', 3), go('ArrowLeft', 4), go('ArrowRight', 9), go('ArrowLeft', 0)]).toEqual([4, 3, 9, 0]);
  });

  test('move between rows within a column, and to the last element of a shorter last row', () => {
    expect([go('ArrowDown', 1), go('ArrowUp', 5), go('ArrowDown', 7), go('ArrowDown', 5)]).toEqual([5, 1, 9, 9]);
  });

  test('stay at the first and last row', () => {
    expect([go('ArrowUp', 2), go('ArrowDown', 8)]).toEqual([2, 8]);
  });

  test('include Home and End, and no other keys', () => {
    expect([go('Home', 7), go('End', 0), go('x', 3)]).toEqual([0, 9, undefined]);
  });
});

describe('arrow keys in a list', () => {
  const go = (key: string, here: number, wraps = false) => nextIndex(key, here, 3, { columns: null, wraps });

  test('move up and down, and ignore left and right', () => {
    expect([go('ArrowDown', 0), go('ArrowUp', 2), go('ArrowRight', 0), go('ArrowLeft', 1)]).toEqual([
      1,
      1,
      undefined,
      undefined,
    ]);
  });

  test('stop at the ends, or wrap around', () => {
    expect([go('ArrowDown', 2), go('ArrowUp', 0)]).toEqual([2, 0]);
    expect([go('ArrowDown', 2, true), go('ArrowUp', 0, true)]).toEqual([0, 2]);
  });
});
