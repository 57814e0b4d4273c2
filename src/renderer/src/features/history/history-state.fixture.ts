import { expect } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { HistoryList, HistoryRow } from '../../../../shared/schemas/history.ts';
import { agree, countedOf, historyApi } from './history.fixture.ts';
import { History } from './history.svelte.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';

const pageSize = 100;

/** A history over entries that a test can change. The test triggers counts and frames, and may block searches. */
export function setUpHistory(entries: readonly HistoryRow[]) {
  const searches: string[] = [];
  const frames: (() => void)[] = [];
  const gates: (() => void)[] = [];
  const updates: unknown[] = [];
  let all = entries;
  let list = 0;
  let isBlocked = false;
  let failure: AppError | null = null;
  let emitCounted: (counted: HistoryList) => void = () => undefined;
  let emitChanged: (changes: { readonly upserted: readonly HistoryRow[]; readonly isStale: boolean }) => void = () =>
    undefined;
  let found: readonly HistoryRow[] = [];
  const history = new History(
    historyApi({
      search: async ({ text }) => {
        searches.push(text);
        const id = ++list;
        const rows = all.filter(({ name }) => name.includes(text));
        found = rows;
        if (isBlocked) await new Promise<void>((resolve) => gates.push(resolve));
        if (failure) throw failure;
        const isWhole = rows.length <= pageSize;
        return { list: id, rows: rows.slice(0, pageSize), isWhole, errors: [], terms: [text] };
      },
      rows: ({ list: requested, from, count }) =>
        requested === list
          ? Promise.resolve(found.slice(from, from + count))
          : Promise.reject(new AppError('request/unknown', 'ended')),
      update: (input) => {
        updates.push(input);
        return failure ? Promise.reject(failure) : Promise.resolve();
      },
      remove: () => Promise.resolve({ undo: 'u', entries: 2, files: 0, keptFiles: 0 }),
      onListCounted: (listener) => {
        emitCounted = listener;
        return () => undefined;
      },
      onChanged: (listener) => {
        emitChanged = listener;
        return () => undefined;
      },
    }),
    (run) => frames.push(run),
    createInternalDrag(),
    agree,
  );
  history.subscribe();
  history.scroll.viewHeight = 600;
  const open = async () => {
    close = history.open();
    await expect.poll(() => history.listing).not.toBeNull();
  };
  let close: () => void = () => undefined;
  return {
    history,
    open,
    close: () => close(),
    searches,
    updates,
    count: () => emitCounted(countedOf(list, found)),
    frame: () => frames.splice(0).forEach((run) => run()),
    block: () => (isBlocked = true),
    gates,
    fail: (error: AppError | null) => (failure = error),
    change: (rows: readonly HistoryRow[]) => {
      all = rows;
      emitChanged({ upserted: [], isStale: true });
    },
    upsert: (...rows: readonly HistoryRow[]) => emitChanged({ upserted: rows, isStale: false }),
    names: () => Array.from({ length: history.listing?.rows ?? 0 }, (_, k) => history.listing?.row(k)?.id),
  };
}
