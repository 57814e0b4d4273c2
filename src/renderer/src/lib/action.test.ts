import { expect, test } from 'vitest';
import { AppError, type Problem } from '../../../shared/errors.ts';
import { ActionState, createLatest, createReload, distinctProblems } from './action.svelte.ts';

class Counter extends ActionState {
  readonly add = (work: () => Promise<number>): Promise<number | undefined> => this.attempt(work);
}

test('a failed action keeps its problem until a later action succeeds', async () => {
  const counter = new Counter();
  expect(await counter.add(() => Promise.reject(new AppError('data/not-writable', 'no')))).toBeUndefined();
  expect(counter.problem?.code).toBe('data/not-writable');
  const { promise, resolve } = Promise.withResolvers<number>();
  const next = counter.add(() => promise);
  expect(counter.problem?.code).toBe('data/not-writable');
  await counter.add(() => Promise.reject(new AppError('data/unreadable', 'no')));
  resolve(7);
  expect(await next).toBe(7);
  // It did not begin after the failure.
  expect(counter.problem?.code).toBe('data/unreadable');
  await counter.add(() => Promise.resolve(8));
  expect(counter.problem).toBeNull();
});

test('any error other than an AppError is internal', async () => {
  const counter = new Counter();
  await counter.add(() => Promise.reject(new TypeError('x is undefined')));
  expect(counter.problem).toEqual({ code: 'internal' });
});

test('only the request that started last is the latest', () => {
  const begin = createLatest();
  const isFirst = begin();
  expect(isFirst()).toBe(true);
  const isSecond = begin();
  expect([isFirst(), isSecond()]).toEqual([false, true]);
});

test('a reload runs one at a time, and once more for all calls meanwhile', async () => {
  const ends: (() => void)[] = [];
  const reload = createReload(() => new Promise((resolve) => ends.push(resolve)));
  const first = reload();
  const others = [reload(), reload(), reload()];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await Promise.all([first, ...others]);
  expect(ends).toHaveLength(2);
  void reload();
  expect(ends).toHaveLength(3);
});

test('the same problem of several sources is one', () => {
  const full: Problem = { code: 'data/not-writable' };
  const [a, b, c, d] = [full, null, { ...full }, { ...full, words: 'no' }].map((problem) => ({ problem }));
  expect(distinctProblems([a, b, c, d].filter((source) => source !== undefined))).toEqual([[a, c], [d]]);
});
