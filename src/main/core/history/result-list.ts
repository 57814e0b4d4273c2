import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import type { HistoryList, QueryError } from '../../../shared/schemas/history.ts';
import { createWorkerPool } from '../../../sound/worker-pool.ts';
import { createListeners } from '../events.ts';
import type { CountedList, ListRequest } from './list-worker.ts';
import type { EntrySearch, FtsQuery } from './search.ts';

/** The newest matches of a search. */
interface FirstPage {
  readonly list: number;
  /** Newest first. */
  readonly numbers: readonly number[];
  readonly isWhole: boolean;
  readonly errors: readonly QueryError[];
  readonly terms: readonly string[];
}

/**
 * The current list. Each search makes a new one: it returns the newest entries and a worker counts
 * the rest. Until then the previous list stays readable. `stop` ends the worker.
 */
export interface ResultList {
  search(text: string): FirstPage;
  /** Keys of all rows, newest first. Throws `history/list-ended` unless this is the latest counted list. */
  numbers(list: number): CountedList['numbers'];
  onListed(listener: (list: HistoryList) => void): () => void;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly search: EntrySearch;
  /** Worker module: `./list-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
  onDefect(error: unknown): void;
}

const pageRows = 100;

export function createResultList({ database, search, workerUrl, onDefect }: Dependencies): ResultList {
  const path = database.location();
  if (path === null) throw new Error('history is counted by a second connection, and a database in memory has none');
  const pool = createWorkerPool<ListRequest, CountedList>({ workerUrl });
  const listeners = createListeners<HistoryList>();
  let list = 0;
  let latest: { readonly list: number; readonly counted: CountedList } | undefined;
  let counting = new AbortController();

  async function count(match: FtsQuery, which: number, signal: AbortSignal): Promise<void> {
    try {
      const result = await pool.run({ path: path ?? '', match }, { signal });
      if (signal.aborted) return;
      latest = { list: which, counted: result };
      const { numbers, entries, days, months } = result;
      listeners.emit({ list: which, matches: numbers.length, entries, days, months });
    } catch (error) {
      if (!signal.aborted) onDefect(error);
    }
  }

  return {
    search(text) {
      const { match, errors, terms } = search.parse(text);
      counting.abort();
      counting = new AbortController();
      list += 1;
      const found = search.newest(match, pageRows + 1);
      void count(match, list, counting.signal);
      return { list, numbers: found.slice(0, pageRows), isWhole: found.length <= pageRows, errors, terms };
    },
    numbers(which) {
      if (which !== latest?.list) throw new AppError('history/list-ended', `list ${which} is not the latest`);
      return latest.counted.numbers;
    },
    onListed: listeners.add,
    async stop() {
      counting.abort();
      await pool.stop();
    },
  };
}
