import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../shared/app-error.ts';
import type { HistoryList, HistoryRow } from '../../../shared/wire/history.ts';
import { countedOf, historyApi, rowOf, rowsOf } from './history-api.fixture.ts';
import { HistoryState } from './history.svelte.ts';
import { placeOfRow, rowHeight } from './tall-list.ts';

const pageSize = 100;

/** A main with entries that a test may change; counts come when the test says, pages at once or when it lets them go. */
function setUp(entries: readonly HistoryRow[]) {
  const asked: string[] = [];
  const frames: (() => void)[] = [];
  const gates: (() => void)[] = [];
  const marks: unknown[] = [];
  let all = entries;
  let list = 0;
  let isHeld = false;
  let failure: AppError | null = null;
  let told: (counted: HistoryList) => void = () => undefined;
  let changed: (changes: { readonly put: readonly HistoryRow[]; readonly isStale: boolean }) => void = () => undefined;
  const found = (text: string) => all.filter(({ name }) => name.includes(text));
  let last: readonly HistoryRow[] = [];
  const history = new HistoryState(
    historyApi({
      search: async ({ text }) => {
        asked.push(text);
        const mine = ++list;
        const rows = found(text);
        last = rows;
        if (isHeld) await new Promise<void>((go) => gates.push(go));
        if (failure) throw failure;
        const isWhole = rows.length <= pageSize;
        return { list: mine, rows: rows.slice(0, pageSize), isWhole, faults: [], terms: [text] };
      },
      rows: ({ list: wanted, from, count }) =>
        wanted === list
          ? Promise.resolve(last.slice(from, from + count))
          : Promise.reject(new AppError('request/unknown', 'ended')),
      mark: (input) => {
        marks.push(input);
        return Promise.resolve();
      },
      remove: () => Promise.resolve({ undo: 'u', entries: 2, files: 0, keptFiles: 0 }),
      onListed: (listener) => {
        told = listener;
        return () => undefined;
      },
      onChanged: (listener) => {
        changed = listener;
        return () => undefined;
      },
    }),
    (run) => frames.push(run),
  );
  history.subscribe();
  history.scroll.viewHeight = 600;
  const open = async () => {
    close = history.open();
    await vi.waitFor(() => expect(history.listing).not.toBeNull());
  };
  let close: () => void = () => undefined;
  return {
    history,
    open,
    close: () => close(),
    asked,
    marks,
    count: () => told(countedOf(list, last)),
    frame: () => frames.splice(0).forEach((run) => run()),
    hold: () => (isHeld = true),
    gates,
    fail: (code: AppError | null) => (failure = code),
    change: (now: readonly HistoryRow[]) => {
      all = now;
      changed({ put: [], isStale: true });
    },
    put: (...rows: readonly HistoryRow[]) => changed({ put: rows, isStale: false }),
    names: () => Array.from({ length: history.listing?.rows ?? 0 }, (_, k) => history.listing?.row(k)?.id),
  };
}

/** The row at the upper edge below the head that sticks, and how far it is cut. */
const upmost = ({ listing, scroll }: HistoryState, id: string): number | undefined => {
  const index = listing ? Array.from({ length: listing.rows }, (_, k) => k).find((k) => listing.row(k)?.id === id) : -1;
  return listing && index !== undefined && index >= 0 ? placeOfRow(listing.tall, index) - scroll.place : undefined;
};

describe('history', () => {
  test('shows the first rows before all of them are counted', async () => {
    const { history, count, names } = setUp(rowsOf(250));
    await history.search();
    expect([names().length, names()[0], history.listing?.counted]).toEqual([100, 'r249', null]);
    count();
    expect([history.listing?.rows, names()[100]]).toEqual([250, undefined]);
    history.listing?.look(100, 120);
    await vi.waitFor(() => expect(history.listing?.row(100)?.id).toBe('r149'));
  });

  test('searches with each key, once a frame', async () => {
    const { history, asked, frame } = setUp(rowsOf(3));
    history.query.write('r', 1);
    history.query.write('r2', 2);
    expect(asked).toEqual([]);
    frame();
    await vi.waitFor(() => expect(history.listing?.rows).toBe(1));
    expect(asked).toEqual(['r2']);
  });

  test('shows the answer to the last search, whichever comes last', async () => {
    const { history, hold, gates, names } = setUp(rowsOf(30));
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
    const { history, fail } = setUp(rowsOf(3));
    fail(new AppError('data/unreadable', ''));
    await history.search();
    expect(history.problem?.code).toBe('data/unreadable');
    fail(null);
    await history.search();
    expect([history.problem, history.listing?.rows]).toEqual([null, 3]);
  });

  test('keeps the row that is looked at where it is when entries come', async () => {
    const rows = rowsOf(250);
    const { history, open, count, change } = setUp(rows);
    await open();
    count();
    history.scroll.goTo(history.listing?.tall ?? expect.fail('no list'), 1000);
    const before = upmost(history, 'r225');
    change([rowOf('new', -5), rowOf('newer', -6), ...rows]);
    await vi.waitFor(() => expect(history.listing?.page.list).toBe(1));
    count();
    await vi.waitFor(() => expect(history.listing?.page.list).toBe(2));
    expect(history.listing?.rows).toBe(252);
    expect(upmost(history, 'r225')).toBe(before);
  });

  test('keeps it too where the row is far from the first page, and others before it have gone', async () => {
    const rows = rowsOf(900);
    const { history, open, count, change } = setUp(rows);
    await open();
    count();
    await history.listing?.load(650);
    history.scroll.goTo(
      history.listing?.tall ?? expect.fail('no list'),
      placeOfRow(history.listing?.tall ?? expect.fail('no list'), 650),
    );
    change(rows.filter((_, k) => k % 3 !== 0 || k > 640));
    await vi.waitFor(() => expect(history.listing?.page.list).toBe(1));
    count();
    await vi.waitFor(() => expect(history.listing?.page.list).toBe(2));
    expect(upmost(history, 'r249')).toBe(0);
  });

  test('lets the newest come in where the list is at its top', async () => {
    const rows = rowsOf(50);
    const { history, open, count, change, names } = setUp(rows);
    await open();
    count();
    change([rowOf('new', -5), ...rows]);
    await Promise.resolve();
    count();
    await vi.waitFor(() => expect(names()[0]).toBe('new'));
    expect(history.scroll.place).toBe(0);
  });

  test('keeps what is chosen by its name when the list is another', async () => {
    const rows = rowsOf(50);
    const { history, open, count, change } = setUp(rows);
    await open();
    count();
    history.chosen.choose(3);
    history.chosen.toggle(5);
    change([rowOf('new', -5), ...rows]);
    await Promise.resolve();
    count();
    await vi.waitFor(() => expect(history.listing?.rows).toBe(51));
    expect([3, 4, 5, 6].map((index) => history.chosen.has(index))).toEqual([false, true, false, true]);
    expect([history.chosen.active, history.chosen.wire()]).toEqual([6, { ids: ['r46', 'r44'] }]);
  });

  test('asks for nothing while nobody sees it, and again once somebody does', async () => {
    const rows = rowsOf(5);
    const { history, open, close, count, change, asked } = setUp(rows);
    await open();
    count();
    close();
    change([rowOf('new', -5), ...rows]);
    expect(asked.length).toBe(1);
    await open();
    await new Promise((done) => setTimeout(done, 0));
    count();
    await vi.waitFor(() => expect(history.listing?.rows).toBe(6));
  });

  test('asks once more where entries came while it asked', async () => {
    const rows = rowsOf(5);
    const { history, open, count, change, asked } = setUp(rows);
    await open();
    count();
    change([rowOf('new', -5), ...rows]);
    change([rowOf('newer', -6), rowOf('new', -5), ...rows]);
    for (let k = 0; k < 2; k++) {
      await new Promise((done) => setTimeout(done, 0));
      count();
    }
    await vi.waitFor(() => expect(history.listing?.rows).toBe(7));
    expect(asked.length).toBe(3);
  });

  test('shows a change of a row where it stands', async () => {
    const { history, put } = setUp(rowsOf(3));
    await history.search();
    history.chosen.choose(1);
    put({ ...rowOf('r1', 1), isFavourite: true });
    expect([history.listing?.row(1)?.isFavourite, history.chosen.isFavourite]).toEqual([true, true]);
  });

  test('marks all that is chosen, and takes the marks away only where all of it is marked', async () => {
    const { history, put, marks } = setUp(rowsOf(3));
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

  test('shows the list without what was removed, and says so until it is brought back', async () => {
    const { history, asked, count } = setUp(rowsOf(3));
    await history.search();
    history.chosen.choose(0);
    const removed = history.removeChosen(false);
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    count();
    await removed;
    expect(history.listing?.page.list).toBe(2);
    expect([history.deeds.outcome?.kind, history.deeds.canUndo, history.chosen.count]).toEqual(['removed', true, 0]);
    await history.deeds.undo();
    expect([history.deeds.outcome, history.deeds.canUndo]).toEqual([{ kind: 'brought-back', entries: 2 }, false]);
  });

  test('keeps the row that is heard for the player, wherever the list is', async () => {
    const { history, put } = setUp(rowsOf(3));
    await history.search();
    history.hear(rowOf('r1', 1));
    put({ ...rowOf('r1', 1), isFavourite: true });
    expect([history.findHeard('r1')?.isFavourite, history.findHeard('r2')]).toEqual([true, undefined]);
  });
});

describe('a choice', () => {
  test('of all names what is here, and else the parts of the list', async () => {
    const { history, count } = setUp(rowsOf(250));
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
    const { history } = setUp(rowsOf(10));
    await history.search();
    history.chosen.choose(5);
    history.chosen.extend(7);
    history.chosen.extend(4);
    expect([3, 4, 5, 6].map((index) => history.chosen.has(index))).toEqual([false, true, true, false]);
    expect(history.chosen.seconds).toBe(120);
  });
});

test('an empty list costs no height, and one row has its head', async () => {
  const { history } = setUp([]);
  await history.search();
  expect(history.listing?.tall.height).toBe(0);
  const one = setUp(rowsOf(1));
  await one.history.search();
  expect(one.history.listing?.tall.height).toBe(32 + rowHeight + 24);
});
