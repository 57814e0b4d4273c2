import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { HistoryRow } from '../../../../shared/schemas/history.ts';
import { countedOf, rowOf, rowsOf } from './history-api.fixture.ts';
import { findRow, HistoryRows } from './history-list.svelte.ts';

/** A listing of `count` rows, of which the page has the first; answers come when the test lets them go. */
function setUp(all: readonly HistoryRow[], { isHeld = false } = {}) {
  const asked: number[] = [];
  const gates: (() => void)[] = [];
  let failure: AppError | null = null;
  const listing = new HistoryRows(
    async ({ from, count }) => {
      asked.push(from);
      if (isHeld) await new Promise<void>((go) => gates.push(go));
      if (failure) throw failure;
      return all.slice(from, from + count);
    },
    { list: 1, rows: all.slice(0, 100), isWhole: all.length <= 100, errors: [], terms: [] },
  );
  listing.counted = countedOf(1, all);
  return { listing, asked, gates, fail: (code: AppError | null) => (failure = code) };
}

const settled = () => new Promise((done) => setTimeout(done, 0));

describe('a listing', () => {
  test('never asks for what came with its first page', async () => {
    const { listing, asked } = setUp(rowsOf(300));
    listing.look(0, 20);
    await settled();
    expect(asked).toEqual([]);
  });

  test('asks for what is looked at, two blocks at a time, and not for what was passed by', async () => {
    const { listing, asked, gates } = setUp(rowsOf(100_000), { isHeld: true });
    for (let at = 1000; at < 90_000; at += 1000) listing.look(at, at + 20);
    expect(asked).toEqual([1000, 2000]);
    gates.splice(0).forEach((go) => go());
    await expect.poll(() => asked).toEqual([1000, 2000, 89_000]);
  });

  test('asks for a row once, however often it is looked at', async () => {
    const { listing, asked } = setUp(rowsOf(1000));
    listing.look(500, 520);
    listing.look(505, 525);
    await expect.poll(() => listing.row(510)?.id).toBe('r489');
    listing.look(505, 525);
    expect(asked).toEqual([500]);
  });

  test('forgets what is far away, never what is looked at', async () => {
    const { listing } = setUp(rowsOf(20_000));
    for (let at = 100; at < 20_000; at += 100) {
      listing.look(at, at + 20);
      await listing.load(at);
      expect(listing.row(at)).toBeDefined();
    }
    const kept = Array.from({ length: 20_000 }, (_, k) => k).filter((k) => listing.row(k) !== undefined);
    expect(kept.length).toBeLessThanOrEqual(4200);
  });

  test('says why rows are missing, and asks again only when it is told to', async () => {
    const { listing, asked, fail } = setUp(rowsOf(1000));
    fail(new AppError('data/unreadable', ''));
    listing.look(500, 520);
    await expect.poll(() => listing.problem?.code).toBe('data/unreadable');
    listing.look(600, 620);
    expect(asked).toEqual([500]);
    fail(null);
    listing.retry();
    await expect.poll(() => listing.row(600)).toBeDefined();
  });

  test('whose successor was counted complains of nothing, and asks for no more', async () => {
    const { listing, asked, fail } = setUp(rowsOf(1000));
    fail(new AppError('history/list-ended', ''));
    listing.look(500, 520);
    await settled();
    listing.look(600, 620);
    await settled();
    expect([listing.problem, asked]).toEqual([null, [500]]);
  });

  test('that has ended complains of nothing', async () => {
    const { listing, gates, fail } = setUp(rowsOf(1000), { isHeld: true });
    listing.look(500, 520);
    listing.end();
    fail(new AppError('request/unknown', ''));
    gates.forEach((go) => go());
    await settled();
    expect(listing.problem).toBeNull();
  });
});

describe('a row of an earlier list', () => {
  test.each([0, 99, 100, 4321, 9999])('is found at %i from any guess', async (index) => {
    const all = rowsOf(10_000);
    for (const guess of [0, index, 5000, 20_000]) {
      const { listing } = setUp(all);
      expect(await findRow(listing, all[index] ?? rowOf('none'), guess)).toBe(index);
    }
  });

  test('that is gone stands where the next older one is', async () => {
    const all = rowsOf(3000);
    const { listing } = setUp(all.filter((_, k) => k !== 1234));
    expect(await findRow(listing, all[1234] ?? rowOf('none'), 1234)).toBe(1234);
  });

  test('that was the last and is gone leads to the last', async () => {
    const { listing } = setUp(rowsOf(10));
    expect(await findRow(listing, rowOf('gone', 10_000), 10)).toBe(9);
  });
});
