import { expect } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { HistoryList, HistoryRow } from '../../../../shared/schemas/history.ts';
import { countedOf, historyApi } from './history-api.fixture.ts';
import { HistoryState } from './history.svelte.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';

const pageSize = 100;

/** A main with entries that a test may change; counts come when the test says, pages at once or when it lets them go. */
export function setUpHistory(entries: readonly HistoryRow[]) {
  const asked: string[] = [];
  const frames: (() => void)[] = [];
  const gates: (() => void)[] = [];
  const marks: unknown[] = [];
  let all = entries;
  let list = 0;
  let isHeld = false;
  let failure: AppError | null = null;
  let told: (counted: HistoryList) => void = () => undefined;
  let changed: (changes: { readonly upserted: readonly HistoryRow[]; readonly isStale: boolean }) => void = () =>
    undefined;
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
        return { list: mine, rows: rows.slice(0, pageSize), isWhole, errors: [], terms: [text] };
      },
      rows: ({ list: wanted, from, count }) =>
        wanted === list
          ? Promise.resolve(last.slice(from, from + count))
          : Promise.reject(new AppError('request/unknown', 'ended')),
      update: (input) => {
        marks.push(input);
        return Promise.resolve();
      },
      remove: () => Promise.resolve({ undo: 'u', entries: 2, files: 0, keptFiles: 0 }),
      onListCounted: (listener) => {
        told = listener;
        return () => undefined;
      },
      onChanged: (listener) => {
        changed = listener;
        return () => undefined;
      },
    }),
    (run) => frames.push(run),
    createInternalDrag(),
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
    asked,
    marks,
    count: () => told(countedOf(list, last)),
    frame: () => frames.splice(0).forEach((run) => run()),
    hold: () => (isHeld = true),
    gates,
    fail: (code: AppError | null) => (failure = code),
    change: (now: readonly HistoryRow[]) => {
      all = now;
      changed({ upserted: [], isStale: true });
    },
    put: (...rows: readonly HistoryRow[]) => changed({ upserted: rows, isStale: false }),
    names: () => Array.from({ length: history.listing?.rows ?? 0 }, (_, k) => history.listing?.row(k)?.id),
  };
}
