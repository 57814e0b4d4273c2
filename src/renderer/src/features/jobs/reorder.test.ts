import { expect, test } from 'vitest';
import { moveBefore, positionInQueue } from './reorder.ts';

const list = [
  { id: 'running', state: 'converting' },
  { id: 'a', state: 'queued' },
  { id: 'failed', state: 'failed' },
  { id: 'b', state: 'queued' },
  { id: 'c', state: 'queued' },
] as const;

test('a position counts queued jobs only, from 1', () => {
  expect(positionInQueue(list, 'b')).toEqual({ position: 2, total: 3 });
  expect(positionInQueue(list, 'failed')).toBeNull();
});

test.each([
  ['b', 'up', 'a'],
  ['a', 'down', 'c'],
  ['b', 'down', null],
  ['c', 'first', 'a'],
  ['a', 'last', null],
] as const)('%s moves %s by going before %s', (id, move, before) => {
  expect(moveBefore(list, id, move)).toBe(before);
});

test.each([
  ['a', 'up'],
  ['a', 'first'],
  ['c', 'down'],
  ['c', 'last'],
  ['running', 'down'],
  ['failed', 'first'],
] as const)('%s cannot move %s', (id, move) => {
  expect(moveBefore(list, id, move)).toBeUndefined();
});
