import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { HistoryRow } from '../../../../shared/schemas/history.ts';
import { countedOf, rowOf, rowsOf } from './history.fixture.ts';
import { findRow, HistoryRows } from './history-list.svelte.ts';

/** A counted list whose first page is loaded. With `isBlocked`, requests wait for their gate. */
function setUp(all: readonly HistoryRow[], { isBlocked = false } = {}) {
  const requests: number[] = [];
  const gates: (() => void)[] = [];
  let failure: AppError | null = null;
  const listing = new HistoryRows(
    async ({ from, count }) => {
      requests.push(from);
      if (isBlocked) await new Promise<void>((resolve) => gates.push(resolve));
      if (failure) throw failure;
      return all.slice(from, from + count);
    },
    { list: 1, rows: all.slice(0, 100), isWhole: all.length <= 100, errors: [], terms: [] },
  );
  listing.counted = countedOf(1, all);
  return { listing, requests, gates, fail: (error: AppError | null) => (failure = error) };
}

const settled = () => new Promise((done) => setTimeout(done, 0));

describe('a list', () => {
  test('does not request its first page again', async () => {
    const { listing, requests } = setUp(rowsOf(300));
    listing.setVisibleRange(0, 20);
    await settled();
    expect(requests).toEqual([]);
  });

  test('requests visible rows, two blocks at a time, and none that scrolled past', async () => {
    const { listing, requests, gates } = setUp(rowsOf(100_000), { isBlocked: true });
    for (let at = 1000; at < 90_000; at += 1000) listing.setVisibleRange(at, at + 20);
    expect(requests).toEqual([1000, 2000]);
    gates.splice(0).forEach((open) => open());
    await expect.poll(() => requests).toEqual([1000, 2000, 89_000]);
  });

  test('requests a block once', async () => {
    const { listing, requests } = setUp(rowsOf(1000));
    listing.setVisibleRange(500, 520);
    listing.setVisibleRange(505, 525);
    await expect.poll(() => listing.row(510)?.id).toBe('r489');
    listing.setVisibleRange(505, 525);
    expect(requests).toEqual([500]);
  });

  test('drops blocks far from the visible rows', async () => {
    const { listing } = setUp(rowsOf(20_000));
    for (let at = 100; at < 20_000; at += 100) {
      listing.setVisibleRange(at, at + 20);
      await listing.load(at);
      expect(listing.row(at)).toBeDefined();
    }
    const loaded = Array.from({ length: 20_000 }, (_, k) => k).filter((k) => listing.row(k) !== undefined);
    expect(loaded.length).toBeLessThanOrEqual(4200);
  });

  test('shows why rows could not be read, and requests them again only on retry', async () => {
    const { listing, requests, fail } = setUp(rowsOf(1000));
    fail(new AppError('data/unreadable', ''));
    listing.setVisibleRange(500, 520);
    await expect.poll(() => listing.problem?.code).toBe('data/unreadable');
    listing.setVisibleRange(600, 620);
    expect(requests).toEqual([500]);
    fail(null);
    listing.retry();
    expect(listing.problem?.code).toBe('data/unreadable');
    await expect.poll(() => listing.row(600)).toBeDefined();
    expect(listing.problem).toBeNull();
  });

  test('that main has replaced shows no problem and requests no more rows', async () => {
    const { listing, requests, fail } = setUp(rowsOf(1000));
    fail(new AppError('history/list-ended', ''));
    listing.setVisibleRange(500, 520);
    await settled();
    listing.setVisibleRange(600, 620);
    await settled();
    expect([listing.problem, requests]).toEqual([null, [500]]);
  });

  test('that has ended shows no problem', async () => {
    const { listing, gates, fail } = setUp(rowsOf(1000), { isBlocked: true });
    listing.setVisibleRange(500, 520);
    listing.end();
    fail(new AppError('request/unknown', ''));
    gates.forEach((open) => open());
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

  test('that no longer exists maps to the next older one', async () => {
    const all = rowsOf(3000);
    const { listing } = setUp(all.filter((_, k) => k !== 1234));
    expect(await findRow(listing, all[1234] ?? rowOf('none'), 1234)).toBe(1234);
  });

  test('that was the last and no longer exists maps to the last one', async () => {
    const { listing } = setUp(rowsOf(10));
    expect(await findRow(listing, rowOf('removed', 10_000), 10)).toBe(9);
  });
});
