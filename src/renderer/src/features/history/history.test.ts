import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { HistoryRow } from '../../../../shared/schemas/history.ts';
import { rowOf, rowsOf } from './history-api.fixture.ts';
import type { HistoryState } from './history.svelte.ts';
import { setUpHistory } from './set-up-history.fixture.ts';
import { rowOffset, rowHeight } from './virtual-scroll.svelte.ts';

type Rows = readonly HistoryRow[];

/** The row at the upper edge below the head that sticks, and how far it is cut. */
const upmost = ({ listing, scroll }: HistoryState, id: string): number | undefined => {
  const index = listing ? Array.from({ length: listing.rows }, (_, k) => k).find((k) => listing.row(k)?.id === id) : -1;
  return listing && index !== undefined && index >= 0 ? rowOffset(listing.tall, index) - scroll.place : undefined;
};

describe('history', () => {
  test('shows the first rows before all of them are counted', async () => {
    const { history, count, names } = setUpHistory(rowsOf(250));
    await history.search();
    expect([names().length, names()[0], history.listing?.counted]).toEqual([100, 'r249', null]);
    count();
    expect([history.listing?.rows, names()[100]]).toEqual([250, undefined]);
    history.listing?.look(100, 120);
    await expect.poll(() => history.listing?.row(100)?.id).toBe('r149');
  });

  test('searches with each key, once a frame', async () => {
    const { history, asked, frame } = setUpHistory(rowsOf(3));
    history.query.write('r', 1);
    history.query.write('r2', 2);
    expect(asked).toEqual([]);
    frame();
    await expect.poll(() => history.listing?.rows).toBe(1);
    expect(asked).toEqual(['r2']);
  });

  test('shows the answer to the last search, whichever comes last', async () => {
    const { history, hold, gates, names } = setUpHistory(rowsOf(30));
    hold();
    history.query.write('r1.', 3);
    const first = history.search();
    history.query.write('r2.', 3);
    const second = history.search();
    gates[1]?.();
    await second;
    gates[0]?.();
    await first;
    expect(names()).toEqual(['r2']);
  });

  test('says why there is no list, until one comes', async () => {
    const { history, fail } = setUpHistory(rowsOf(3));
    fail(new AppError('data/unreadable', ''));
    await history.search();
    expect(history.problem?.code).toBe('data/unreadable');
    fail(null);
    await history.search();
    expect([history.problem, history.listing?.rows]).toEqual([null, 3]);
  });

  test('keeps the row that is looked at where it is when entries come', async () => {
    const rows = rowsOf(250);
    const { history, open, count, change } = setUpHistory(rows);
    await open();
    count();
    history.scroll.goTo(history.listing?.tall ?? expect.fail('no list'), 1000);
    const before = upmost(history, 'r225');
    change([rowOf('new', -5), rowOf('newer', -6), ...rows]);
    await expect.poll(() => history.listing?.page.list).toBe(1);
    count();
    await expect.poll(() => history.listing?.page.list).toBe(2);
    expect(history.listing?.rows).toBe(252);
    expect(upmost(history, 'r225')).toBe(before);
  });

  test('keeps it too where the row is far from the first page, and others before it have gone', async () => {
    const rows = rowsOf(900);
    const { history, open, count, change } = setUpHistory(rows);
    await open();
    count();
    await history.listing?.load(650);
    history.scroll.goTo(
      history.listing?.tall ?? expect.fail('no list'),
      rowOffset(history.listing?.tall ?? expect.fail('no list'), 650),
    );
    change(rows.filter((_, k) => k % 3 !== 0 || k > 640));
    await expect.poll(() => history.listing?.page.list).toBe(1);
    count();
    await expect.poll(() => history.listing?.page.list).toBe(2);
    expect(upmost(history, 'r249')).toBe(0);
  });

  test.each([
    ['stays what it was where entries came in at the top', (all: Rows) => [rowOf('new', -5), ...all], [[1, 3001]]],
    ['ends where another one left', (all: Rows) => [rowOf('new', -5), ...all.toSpliced(2000, 1)], undefined],
    ['ends where an older one came', (all: Rows) => all.toSpliced(2000, 0, rowOf('old', 2000)), undefined],
    [
      'ends where a longer one took a place',
      (all: Rows) => all.toSpliced(700, 1, rowOf('b', 700, { durationSeconds: 7 })),
      undefined,
    ],
  ])('a choice of all %s', async (_, changed, ranges) => {
    const rows = rowsOf(3000);
    const { history, open, count, change } = setUpHistory(rows);
    await open();
    count();
    history.chosen.all();
    expect(history.chosen.count).toBe(3000);
    change(changed(rows));
    await expect.poll(() => history.listing?.page.list).toBe(1);
    count();
    await expect.poll(() => history.listing?.page.list).toBe(2);
    expect(history.chosen.wire()).toEqual(ranges ? { list: 2, ranges } : null);
  });

  test('lets the newest come in where the list is at its top', async () => {
    const rows = rowsOf(50);
    const { history, open, count, change, names } = setUpHistory(rows);
    await open();
    count();
    change([rowOf('new', -5), ...rows]);
    await Promise.resolve();
    count();
    await expect.poll(() => names()[0]).toBe('new');
    expect(history.scroll.place).toBe(0);
  });

  test('asks for nothing while nobody sees it, and again once somebody does', async () => {
    const rows = rowsOf(5);
    const { history, open, close, count, change, asked } = setUpHistory(rows);
    await open();
    count();
    close();
    change([rowOf('new', -5), ...rows]);
    expect(asked.length).toBe(1);
    await open();
    await new Promise((done) => setTimeout(done, 0));
    count();
    await expect.poll(() => history.listing?.rows).toBe(6);
  });

  test('asks once more where entries came while it asked', async () => {
    const rows = rowsOf(5);
    const { history, open, count, change, asked } = setUpHistory(rows);
    await open();
    count();
    change([rowOf('new', -5), ...rows]);
    change([rowOf('newer', -6), rowOf('new', -5), ...rows]);
    for (let k = 0; k < 2; k++) {
      await new Promise((done) => setTimeout(done, 0));
      count();
    }
    await expect.poll(() => history.listing?.rows).toBe(7);
    expect(asked.length).toBe(3);
  });

  test('shows a change of a row where it stands', async () => {
    const { history, put } = setUpHistory(rowsOf(3));
    await history.search();
    history.chosen.choose(1);
    put({ ...rowOf('r1', 1), isFavourite: true });
    expect([history.listing?.row(1)?.isFavourite, history.chosen.isFavourite]).toEqual([true, true]);
  });

  test('shows the list without what was removed, and says so until it is brought back', async () => {
    const { history, asked, count } = setUpHistory(rowsOf(3));
    await history.search();
    history.chosen.choose(0);
    const removed = history.removeChosen(false);
    await expect.poll(() => asked).toHaveLength(2);
    count();
    await removed;
    expect(history.listing?.page.list).toBe(2);
    expect([history.deeds.outcome?.kind, history.deeds.canUndo, history.chosen.count]).toEqual(['removed', true, 0]);
    await history.deeds.undo();
    expect([history.deeds.outcome, history.deeds.canUndo]).toEqual([{ kind: 'brought-back', entries: 2 }, false]);
  });

  test('has removed them once the list is shown without them, also where it was read already', async () => {
    const rows = rowsOf(3);
    const { history, open, asked, count, change } = setUpHistory(rows);
    await open();
    count();
    history.chosen.choose(0);
    // Main’s news come before its answer.
    change(rows.slice(1));
    await expect.poll(() => asked).toHaveLength(2);
    const removed = history.removeChosen(false).then(() => history.listing?.page.list);
    count();
    await expect.poll(() => asked).toHaveLength(3);
    count();
    expect(await removed).toBe(3);
  });

  test('keeps the row that is heard for the player, wherever the list is', async () => {
    const { history, put } = setUpHistory(rowsOf(3));
    await history.search();
    history.hear(rowOf('r1', 1));
    put({ ...rowOf('r1', 1), isFavourite: true });
    expect([history.findHeard('r1')?.isFavourite, history.findHeard('r2')]).toEqual([true, undefined]);
  });
});

test('an empty list costs no height, and one row has its head', async () => {
  const { history } = setUpHistory([]);
  await history.search();
  expect(history.listing?.tall.height).toBe(0);
  const one = setUpHistory(rowsOf(1));
  await one.history.search();
  expect(one.history.listing?.tall.height).toBe(32 + rowHeight + 24);
});
