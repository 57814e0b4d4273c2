import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { HistoryRow } from '../../../../shared/schemas/history.ts';
import { rowOf, rowsOf } from './history.fixture.ts';
import type { History } from './history.svelte.ts';
import { setUpHistory } from './history-state.fixture.ts';
import { rowOffset, rowHeight } from './virtual-scroll.svelte.ts';

type Rows = readonly HistoryRow[];

/** The offset of a row within the view. */
const offsetInView = ({ listing, scroll }: History, id: string): number | undefined => {
  const index = listing ? Array.from({ length: listing.rows }, (_, k) => k).find((k) => listing.row(k)?.id === id) : -1;
  return listing && index !== undefined && index >= 0 ? rowOffset(listing.layout, index) - scroll.offset : undefined;
};

describe('history', () => {
  test('shows the first rows before the list is counted', async () => {
    const { history, count, names } = setUpHistory(rowsOf(250));
    await history.search();
    expect([names().length, names()[0], history.listing?.counted]).toEqual([100, 'r249', null]);
    count();
    expect([history.listing?.rows, names()[100]]).toEqual([250, undefined]);
    history.listing?.setVisibleRange(100, 120);
    await expect.poll(() => history.listing?.row(100)?.id).toBe('r149');
  });

  test('searches on each key, once per frame', async () => {
    const { history, searches, frame } = setUpHistory(rowsOf(3));
    history.query.edit('r', 1);
    history.query.edit('r2', 2);
    expect(searches).toEqual([]);
    frame();
    await expect.poll(() => history.listing?.rows).toBe(1);
    expect(searches).toEqual(['r2']);
  });

  test('shows the result of the latest search, whichever arrives last', async () => {
    const { history, block, gates, names } = setUpHistory(rowsOf(30));
    block();
    history.query.edit('r1.', 3);
    const first = history.search();
    history.query.edit('r2.', 3);
    const second = history.search();
    gates[1]?.();
    await second;
    gates[0]?.();
    await first;
    expect(names()).toEqual(['r2']);
  });

  test('shows why a search failed until one succeeds', async () => {
    const { history, fail } = setUpHistory(rowsOf(3));
    fail(new AppError('data/unreadable', ''));
    await history.search();
    expect(history.problem?.code).toBe('data/unreadable');
    fail(null);
    await history.search();
    expect([history.problem, history.listing?.rows]).toEqual([null, 3]);
  });

  test('keeps the top row in place when entries are added', async () => {
    const rows = rowsOf(250);
    const { history, open, count, change } = setUpHistory(rows);
    await open();
    count();
    history.scroll.scrollTo(history.listing?.layout ?? expect.fail('no list'), 1000);
    const before = offsetInView(history, 'r225');
    change([rowOf('new', -5), rowOf('newer', -6), ...rows]);
    await expect.poll(() => history.listing?.page.list).toBe(1);
    count();
    await expect.poll(() => history.listing?.page.list).toBe(2);
    expect(history.listing?.rows).toBe(252);
    expect(offsetInView(history, 'r225')).toBe(before);
  });

  test('keeps a row far down in place when entries before it are removed', async () => {
    const rows = rowsOf(900);
    const { history, open, count, change } = setUpHistory(rows);
    await open();
    count();
    await history.listing?.load(650);
    history.scroll.scrollTo(
      history.listing?.layout ?? expect.fail('no list'),
      rowOffset(history.listing?.layout ?? expect.fail('no list'), 650),
    );
    change(rows.filter((_, k) => k % 3 !== 0 || k > 640));
    await expect.poll(() => history.listing?.page.list).toBe(1);
    count();
    await expect.poll(() => history.listing?.page.list).toBe(2);
    expect(offsetInView(history, 'r249')).toBe(0);
  });

  test.each([
    ['is kept when entries are inserted at the top', (all: Rows) => [rowOf('new', -5), ...all], [[1, 3001]]],
    [
      'is cleared when another entry is removed',
      (all: Rows) => [rowOf('new', -5), ...all.toSpliced(2000, 1)],
      undefined,
    ],
    ['is cleared when an older entry is added', (all: Rows) => all.toSpliced(2000, 0, rowOf('old', 2000)), undefined],
    [
      'is cleared when an entry is replaced by a longer one',
      (all: Rows) => all.toSpliced(700, 1, rowOf('b', 700, { durationSeconds: 7 })),
      undefined,
    ],
  ])('a selection of all %s', async (_, changed, ranges) => {
    const rows = rowsOf(3000);
    const { history, open, count, change } = setUpHistory(rows);
    await open();
    count();
    history.selection.selectAll();
    expect(history.selection.count).toBe(3000);
    change(changed(rows));
    await expect.poll(() => history.listing?.page.list).toBe(1);
    count();
    await expect.poll(() => history.listing?.page.list).toBe(2);
    expect(history.selection.toRef()).toEqual(ranges ? { list: 2, ranges } : null);
  });

  test('shows new entries while the list is at its top', async () => {
    const rows = rowsOf(50);
    const { history, open, count, change, names } = setUpHistory(rows);
    await open();
    count();
    change([rowOf('new', -5), ...rows]);
    await Promise.resolve();
    count();
    await expect.poll(() => names()[0]).toBe('new');
    expect(history.scroll.offset).toBe(0);
  });

  test('does not refresh while the view is closed, and does once it opens', async () => {
    const rows = rowsOf(5);
    const { history, open, close, count, change, searches } = setUpHistory(rows);
    await open();
    count();
    close();
    change([rowOf('new', -5), ...rows]);
    expect(searches.length).toBe(1);
    await open();
    await new Promise((done) => setTimeout(done, 0));
    count();
    await expect.poll(() => history.listing?.rows).toBe(6);
  });

  test('refreshes once more if entries change during a refresh', async () => {
    const rows = rowsOf(5);
    const { history, open, count, change, searches } = setUpHistory(rows);
    await open();
    count();
    change([rowOf('new', -5), ...rows]);
    change([rowOf('newer', -6), rowOf('new', -5), ...rows]);
    for (let k = 0; k < 2; k++) {
      await new Promise((done) => setTimeout(done, 0));
      count();
    }
    await expect.poll(() => history.listing?.rows).toBe(7);
    expect(searches.length).toBe(3);
  });

  test('shows a changed row in place', async () => {
    const { history, upsert } = setUpHistory(rowsOf(3));
    await history.search();
    history.selection.select(1);
    upsert({ ...rowOf('r1', 1), isFavourite: true });
    expect([history.listing?.row(1)?.isFavourite, history.selection.isFavourite]).toEqual([true, true]);
  });

  test('shows the list without removed entries, and the result until it is undone', async () => {
    const { history, searches, count } = setUpHistory(rowsOf(3));
    await history.search();
    history.selection.select(0);
    const removed = history.remove({ ids: ['r2'] }, false);
    await expect.poll(() => searches).toHaveLength(2);
    count();
    await removed;
    expect(history.listing?.page.list).toBe(2);
    expect([history.actions.result?.kind, history.actions.canUndo, history.selection.count]).toEqual([
      'removed',
      true,
      0,
    ]);
    await history.actions.undo();
    expect([history.actions.result, history.actions.canUndo]).toEqual([{ kind: 'restored', entries: 2 }, false]);
  });

  test('keeps what is selected while other entries are removed, and nothing that was removed', async () => {
    for (const [selected, rest] of [
      [200, ['r49']],
      [7, []],
    ] as const) {
      const rows = rowsOf(250);
      const { history, searches, count, change } = setUpHistory(rows);
      await history.search();
      count();
      history.selection.selectAll();
      history.selection.toggle(200);
      const choice = history.selection.toRef();
      if (!choice) throw new Error('Nothing is selected');
      await history.listing?.load(selected);
      const removed = history.remove(choice, false);
      history.selection.select(selected);
      change(rows.filter(({ id }) => id === 'r49'));
      await expect.poll(() => searches).toHaveLength(2);
      count();
      await removed;
      expect(history.selection.rows(9)?.map(({ id }) => id)).toEqual(rest);
    }

    const { history, searches, count } = setUpHistory(rowsOf(3));
    await history.search();
    history.selection.select(0);
    const removed = history.remove({ ids: ['r2'] }, false);
    history.selection.select(1);
    await expect.poll(() => searches).toHaveLength(2);
    count();
    await removed;
    expect(history.selection.toRef()).toEqual({ ids: ['r1'] });
  });

  test('marks no favourite of a selection that the statistics hide', async () => {
    const { history, updates } = setUpHistory(rowsOf(3));
    await history.search();
    history.selection.select(0);
    history.statistics.isOpen = true;
    expect([history.toggleFavouriteSelection(), updates]).toEqual([false, []]);
    history.statistics.isOpen = false;
    expect([history.toggleFavouriteSelection(), updates.length]).toEqual([true, 1]);
  });

  test('resolves a removal once the list is shown without the entries, even if a refresh was running', async () => {
    const rows = rowsOf(3);
    const { history, open, searches, count, change } = setUpHistory(rows);
    await open();
    count();
    history.selection.select(0);
    // The event arrives before the reply.
    change(rows.slice(1));
    await expect.poll(() => searches).toHaveLength(2);
    const removed = history.remove({ ids: ['r2'] }, false).then(() => history.listing?.page.list);
    count();
    await expect.poll(() => searches).toHaveLength(3);
    count();
    expect(await removed).toBe(3);
  });

  test('keeps the row that is playing, whatever the list shows', async () => {
    const { history, upsert } = setUpHistory(rowsOf(3));
    await history.search();
    history.setPlaying(rowOf('r1', 1));
    upsert({ ...rowOf('r1', 1), isFavourite: true });
    expect([history.findPlaying('r1')?.isFavourite, history.findPlaying('r2')]).toEqual([true, undefined]);
  });
});

test('an empty list has no height, and one row has a header', async () => {
  const { history } = setUpHistory([]);
  await history.search();
  expect(history.listing?.layout.height).toBe(0);
  const one = setUpHistory(rowsOf(1));
  await one.history.search();
  expect(one.history.listing?.layout.height).toBe(32 + rowHeight + 24);
});
