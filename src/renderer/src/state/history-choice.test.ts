import { describe, expect, test } from 'vitest';
import { rowOf, rowsOf } from './history-api.fixture.ts';
import { setUpHistory } from './set-up-history.fixture.ts';

describe('a choice', () => {
  test('of all names what is here, and else the parts of the list', async () => {
    const { history, count } = setUpHistory(rowsOf(250));
    await history.search();
    history.chosen.all();
    expect(history.chosen.wire()).toBeNull();
    count();
    history.chosen.all();
    expect([history.chosen.count, history.chosen.wire()]).toEqual([250, { list: 1, ranges: [[0, 250]] }]);
    history.chosen.toggle(7);
    expect(history.chosen.wire()).toEqual({
      list: 1,
      ranges: [
        [0, 7],
        [8, 250],
      ],
    });
    expect([history.chosen.has(7), history.chosen.has(8), history.chosen.seconds]).toEqual([false, true, null]);
  });

  test('is drawn from where it began, both ways', async () => {
    const { history } = setUpHistory(rowsOf(10));
    await history.search();
    history.chosen.choose(5);
    history.chosen.extend(7);
    history.chosen.extend(4);
    expect([3, 4, 5, 6].map((index) => history.chosen.has(index))).toEqual([false, true, true, false]);
    expect(history.chosen.seconds).toBe(120);
  });

  test('stays with its entries, by their names, when the list is another', async () => {
    const rows = rowsOf(50);
    const { history, open, count, change } = setUpHistory(rows);
    await open();
    count();
    history.chosen.choose(3);
    history.chosen.toggle(5);
    change([rowOf('new', -5), ...rows]);
    await Promise.resolve();
    count();
    await expect.poll(() => history.listing?.rows).toBe(51);
    expect([3, 4, 5, 6].map((index) => history.chosen.has(index))).toEqual([false, true, false, true]);
    expect([history.chosen.active, history.chosen.wire()]).toEqual([6, { ids: ['r46', 'r44'] }]);
  });

  test('is marked whole, and loses its marks only where all of it is marked', async () => {
    const { history, put, marks } = setUpHistory(rowsOf(3));
    await history.search();
    put({ ...rowOf('r2', 0), isFavourite: true });
    history.chosen.choose(0);
    history.chosen.extend(1);
    history.markChosen();
    expect(marks).toEqual([{ choice: { ids: ['r2', 'r1'] }, isFavourite: true }]);
    history.chosen.choose(0);
    history.markChosen();
    expect(marks[1]).toEqual({ choice: { ids: ['r2'] }, isFavourite: false });
    history.chosen.clear();
    expect(history.markChosen()).toBe(false);
  });
});
