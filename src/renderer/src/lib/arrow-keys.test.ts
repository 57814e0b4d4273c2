import { describe, expect, test } from 'vitest';
import { nextIndex } from './arrow-keys.ts';

describe('arrow keys in a grid', () => {
  // Three rows of four, the last with two.
  const go = (key: string, here: number) => nextIndex(key, here, 10, { columns: 4 });

  test('move along the row and over its end', () => {
    expect([go('ArrowRight', 3), go('ArrowLeft', 4), go('ArrowRight', 9), go('ArrowLeft', 0)]).toEqual([4, 3, 9, 0]);
  });

  test('move between rows in their column, and to the last element where the last row is shorter', () => {
    expect([go('ArrowDown', 1), go('ArrowUp', 5), go('ArrowDown', 7), go('ArrowDown', 5)]).toEqual([5, 1, 9, 9]);
  });

  test('stay where there is nowhere to go', () => {
    expect([go('ArrowUp', 2), go('ArrowDown', 8)]).toEqual([2, 8]);
  });

  test('find both ends, and leave all other keys alone', () => {
    expect([go('Home', 7), go('End', 0), go('x', 3)]).toEqual([0, 9, undefined]);
  });

  test('go the other way where the script does', () => {
    const mirrored = (key: string) => nextIndex(key, 5, 10, { columns: 4, isRightToLeft: true });
    expect([mirrored('ArrowRight'), mirrored('ArrowLeft'), mirrored('ArrowDown')]).toEqual([4, 6, 9]);
  });
});

describe('arrow keys in a list', () => {
  const go = (key: string, here: number, wraps = false) => nextIndex(key, here, 3, { columns: null, wraps });

  test('move up and down, and leave left and right alone', () => {
    expect([go('ArrowDown', 0), go('ArrowUp', 2), go('ArrowRight', 0), go('ArrowLeft', 1)]).toEqual([
      1,
      1,
      undefined,
      undefined,
    ]);
  });

  test('stop at the ends, or come out at the other one', () => {
    expect([go('ArrowDown', 2), go('ArrowUp', 0)]).toEqual([2, 0]);
    expect([go('ArrowDown', 2, true), go('ArrowUp', 0, true)]).toEqual([0, 2]);
  });
});
