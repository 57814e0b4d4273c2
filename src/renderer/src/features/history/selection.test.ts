import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { inputSchemas } from '../../../../shared/ipc/inputs.ts';
import type { SelectionRef } from '../../../../shared/schemas/history.ts';
import { rowOf, rowsOf } from './history.fixture.ts';
import { countOf } from './index-ranges.ts';
import { setUpHistory } from './history-state.fixture.ts';

describe('a selection', () => {
  test('of all rows is a range unless all are loaded', async () => {
    const { history, count } = setUpHistory(rowsOf(250));
    await history.search();
    history.selection.selectAll();
    expect(history.selection.toRef()).toBeNull();
    count();
    history.selection.selectAll();
    expect([history.selection.count, history.selection.toRef()]).toEqual([250, { list: 1, ranges: [[0, 250]] }]);
    history.selection.toggle(7);
    expect(history.selection.toRef()).toEqual({
      list: 1,
      ranges: [
        [0, 7],
        [8, 250],
      ],
    });
    expect([history.selection.has(7), history.selection.has(8), history.selection.seconds]).toEqual([
      false,
      true,
      null,
    ]);
  });

  test('extends from its anchor in both directions', async () => {
    const { history } = setUpHistory(rowsOf(10));
    await history.search();
    history.selection.select(5);
    history.selection.extend(7);
    history.selection.extend(4);
    expect([3, 4, 5, 6].map((index) => history.selection.has(index))).toEqual([false, true, true, false]);
    expect(history.selection.seconds).toBe(120);
  });

  test('by id survives a new list', async () => {
    const rows = rowsOf(50);
    const { history, open, count, change } = setUpHistory(rows);
    await open();
    count();
    history.selection.select(3);
    history.selection.toggle(5);
    change([rowOf('new', -5), ...rows]);
    await Promise.resolve();
    count();
    await expect.poll(() => history.listing?.rows).toBe(51);
    expect([3, 4, 5, 6].map((index) => history.selection.has(index))).toEqual([false, true, false, true]);
    expect([history.selection.active, history.selection.toRef()]).toEqual([6, { ids: ['r46', 'r44'] }]);
  });

  test('becomes favourites as a whole, and is removed from them only if all are favourites', async () => {
    const { history, upsert, updates } = setUpHistory(rowsOf(3));
    await history.search();
    upsert({ ...rowOf('r2', 0), isFavourite: true });
    history.selection.select(0);
    history.selection.extend(1);
    history.toggleFavouriteSelection();
    expect(updates).toEqual([{ choice: { ids: ['r2', 'r1'] }, isFavourite: true }]);
    history.selection.select(0);
    history.toggleFavouriteSelection();
    expect(updates[1]).toEqual({ choice: { ids: ['r2'] }, isFavourite: false });
    history.selection.clear();
    expect(history.toggleFavouriteSelection()).toBe(false);
  });

  test('that became favourites can be removed from them, although not all of its entries are loaded', async () => {
    const { history, count, updates } = setUpHistory(rowsOf(3000));
    await history.search();
    count();
    history.selection.selectAll();
    history.toggleFavouriteSelection();
    expect(history.selection.isFavourite).toBe(true);
    history.toggleFavouriteSelection();
    expect(history.selection.isFavourite).toBe(false);
    history.toggleFavouriteSelection();
    history.selection.toggle(7);
    history.toggleFavouriteSelection();
    expect((updates as readonly { isFavourite: boolean }[]).map(({ isFavourite }) => isFavourite)).toEqual([
      ...[true, false, true, true],
    ]);
  });
});

describe('favourites of which not all are loaded', () => {
  test('are none if they could not be saved: the next try does not take away those that were there before', async () => {
    const { history, count, updates, fail } = setUpHistory(rowsOf(3000));
    await history.search();
    count();
    history.selection.selectAll();
    fail(new AppError('data/not-writable', ''));
    history.toggleFavouriteSelection();
    await expect.poll(() => history.actions.problem?.code).toBe('data/not-writable');
    fail(null);
    history.toggleFavouriteSelection();
    expect((updates as readonly { isFavourite: boolean }[]).map(({ isFavourite }) => isFavourite)).toEqual([
      ...[true, true],
    ]);
  });

  const all = rowsOf(3000);

  test.each([
    ['the list is read again, as after a change of so many entries', all, true],
    ['a result is added at the top', [rowOf('new', -5), ...all], true],
    ['another entry is gone', all.slice(0, -1), false],
  ])('are known until the selection changes: %s', async (_, rows, isFavourite) => {
    const { history, open, count, change } = setUpHistory(all);
    await open();
    count();
    history.selection.selectAll();
    history.toggleFavouriteSelection();
    change(rows);
    await expect.poll(() => history.listing?.page.list).toBe(1);
    count();
    await expect.poll(() => history.listing?.page.list).toBe(2);
    expect(history.selection.isFavourite).toBe(isFavourite);
  });
});

describe('every action accepts a selection of any length (U4)', () => {
  const uuid = (k: number) => `00000000-0000-4000-8000-${String(k).padStart(12, '0')}`;
  const long = Array.from({ length: 100_000 }, (_, k) => rowOf(uuid(k), k));
  const lengthOf = (choice: SelectionRef | null) =>
    choice === null ? 0 : 'ids' in choice ? choice.ids.length : countOf(choice.ranges);
  const { update, remove, repeat, export: exportEntries } = inputSchemas.history;
  const actions: readonly (readonly [string, v.GenericSchema, object])[] = [
    ['favourite', update, { isFavourite: true }],
    ['tag', update, { addTags: ['x'] }],
    ['remove', remove, { withFiles: true }],
    ['repeat', repeat, {}],
    ['export of a list', exportEntries, { what: 'list' }],
    ['export with sound', exportEntries, { what: 'sound' }],
  ];

  async function select(from: number, to: number, toggled: readonly number[]) {
    const { history, count } = setUpHistory(long);
    await history.search();
    count();
    // The rows that the user scrolls past while selecting.
    for (let index = 0; index < 3000; index += 100) await history.listing?.load(index);
    history.selection.select(from);
    history.selection.extend(to - 1);
    for (const index of toggled) history.selection.toggle(index);
    return { choice: history.selection.toRef(), count: history.selection.count };
  }

  test.each([
    ['1', 0, 1, []],
    ['1,000', 0, 1000, []],
    ['1,000 with Shift and one with Ctrl', 0, 1000, [1500]],
    ['1,001', 0, 1001, []],
    ['100,000', 0, 100_000, []],
    ['100,000 without 1,200 in between', 0, 100_000, Array.from({ length: 1200 }, (_, k) => 1 + k * 2)],
    ['10 with Shift and 1,200 with Ctrl', 0, 10, Array.from({ length: 1200 }, (_, k) => 20 + k * 2)],
  ])('%s', async (_name, from, to, toggled) => {
    const { choice, count } = await select(from, to, toggled);
    expect(lengthOf(choice)).toBe(count);
    const refused = actions.filter(([, schema, input]) => !v.is(schema, { choice, ...input })).map(([name]) => name);
    expect(refused).toEqual([]);
  });
});
