import { describe, expect, test } from 'vitest';
import { moveBefore, positionInQueue } from './reorder.ts';

const list = [
  { id: 'running', state: 'converting' },
  { id: 'a', state: 'queued' },
  { id: 'broken', state: 'failed' },
  { id: 'b', state: 'queued' },
  { id: 'c', state: 'queued' },
] as const;

describe('a waiting row', () => {
  test('is counted among those that wait, from one', () => {
    expect(positionInQueue(list, 'b')).toEqual({ place: 2, of: 3 });
    expect(positionInQueue(list, 'broken')).toBeNull();
  });

  test.each([
    ['b', 'up', 'a'],
    ['a', 'down', 'c'],
    ['b', 'down', null],
    ['c', 'first', 'a'],
    ['a', 'last', null],
  ] as const)('%s goes %s by going before %s', (id, move, before) => {
    expect(moveBefore(list, id, move)).toBe(before);
  });

  test.each([
    ['a', 'up'],
    ['a', 'first'],
    ['c', 'down'],
    ['c', 'last'],
    ['running', 'down'],
    ['broken', 'first'],
  ] as const)('%s cannot go %s', (id, move) => {
    expect(moveBefore(list, id, move)).toBeUndefined();
  });
});
