import { expect, it } from 'vitest';
import { createRandom } from './random.fixture.ts';

it('draws the same values for the same seed and salt, and others otherwise', () => {
  const draws = (seed: number, salt: string) => createRandom(seed, salt).bytes(9).toString('hex');
  expect(draws(1, 'Q1')).toBe(draws(1, 'Q1'));
  expect(new Set([draws(1, 'Q1'), draws(2, 'Q1'), draws(1, 'Q2')]).size).toBe(3);
});

it('draws every integer of a range, both ends included, about equally often', () => {
  const random = createRandom(5);
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 6000; draw += 1) {
    const value = random.integer(-1, 4);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  expect([...counts.keys()].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2, 3, 4]);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200);
});

it('shuffles without loss and leaves its input unchanged', () => {
  const items = [1, 2, 3, 4, 5, 6, 7, 8];
  const mixed = createRandom(3).shuffled(items);
  expect(mixed).not.toEqual(items);
  expect(mixed.toSorted()).toEqual(items);
  expect(() => createRandom(3).pick([])).toThrow('nothing to pick');
});
