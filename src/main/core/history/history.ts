import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchesOf } from '../../../shared/batches.ts';
import { AppError } from '../../../shared/errors.ts';
import type { SelectionRef, HistorySuggestions, QueryError } from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import { transaction } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { createListeners, type LongTask } from '../events.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { CompareNames } from '../name-order.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import {
  endOfKeys,
  createEntryReader,
  createAnnotations,
  type HistoryEntry,
  type Annotation,
  type Annotations,
} from './entries.ts';
import { createSuggest } from './query.ts';
import { createEntrySearch, createResultList, type FirstPage, type ResultList } from './search.ts';

/** What changed in history since the last event. */
export interface HistoryChange {
  /** Changed or new entries. Some may have been removed in the meantime. */
  readonly ids: readonly string[];
  /** Entries were added or removed, or too many changed to list: reload the list. */
  readonly isStale: boolean;
}

/**
 * Emits changes made by this process or another, at most every 250 ms. `notify` is called after
 * each write to history that the job store does not emit. Nothing is emitted after `stop`.
 */
interface HistoryChanges {
  notify(changedIds: readonly string[]): void;
  /** Emits pending changes immediately. */
  flush(): void;
  onChanged(listener: (change: HistoryChange) => void): () => void;
  stop(): void;
}

/** Faster updates would not be noticed. */
const emitIntervalMs = 250;
/** More rows than fit on any screen. */
const maxIds = 1000;

function createHistoryChanges(
  database: DatabaseSync,
  store: Pick<JobStore, 'onEvent'>,
  onDefect: (error: unknown) => void,
): HistoryChanges {
  const selectChange = database.prepare('SELECT change FROM history_change');
  const changeNow = (): unknown => selectChange.get()?.['change'];
  const listeners = createListeners<HistoryChange>(onDefect);
  const changed = new Set<string>();
  let lastChange = changeNow();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function emitChanges(): void {
    timer = undefined;
    const change = changeNow();
    const isTooMany = changed.size > maxIds;
    const isStale = change !== lastChange || isTooMany;
    const ids = isTooMany ? [] : [...changed];
    lastChange = change;
    changed.clear();
    if (isStale || ids.length > 0) listeners.emit({ ids, isStale });
  }

  /** A damaged page may be read before the integrity check finds and repairs it. */
  function emitSafely(): void {
    try {
      emitChanges();
    } catch (error) {
      onDefect(error);
    }
  }

  function notify(ids: readonly string[]): void {
    if (isStopped) return;
    for (const id of ids) if (changed.size <= maxIds) changed.add(id);
    timer ??= setTimeout(emitSafely, emitIntervalMs);
  }

  const unsubscribe = store.onEvent((event) => {
    if (event.kind === 'upserted') notify(event.jobs.filter(hasEnded).map(({ id }) => id));
    else if (event.kind === 'unlisted') notify(event.ids);
  });

  return {
    notify,
    flush() {
      if (timer === undefined) return;
      clearTimeout(timer);
      emitChanges();
    },
    onChanged: listeners.add,
    stop() {
      isStopped = true;
      unsubscribe();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** The newest matches of a search. Its `list` is that of `rows` and of selections. */
interface HistoryHits extends Omit<FirstPage, 'numbers'> {
  readonly entries: readonly HistoryEntry[];
}

/** All matches of a search, or the newest of them. */
interface HistoryFind {
  /** Job ids, newest first. */
  readonly ids: readonly string[];
  readonly errors: readonly QueryError[];
}

/** One entry with all stored details. */
export interface HistoryRecord {
  readonly entry: HistoryEntry;
  readonly job: Job;
  readonly watchFolder: string | null;
  /** Other entries with the same audio or text, newest first, at most 50. */
  readonly others: readonly HistoryEntry[];
}

/**
 * All finished jobs, from the history tables of the database: search, lists and annotations.
 * Entries are added and removed together with their jobs. A worker thread counts lists. `stop` ends
 * the thread and the events; it does not close the database.
 */
export interface History
  extends Pick<ResultList, 'onListed'>, Pick<HistoryChanges, 'onChanged' | 'flush'>, Pick<Annotations, 'tags'> {
  /**
   * Returns the newest matches and starts counting the rest, which `onListed` reports. Ends the
   * previous list.
   */
  search(text: string): HistoryHits;
  /**
   * Up to `count` rows of a counted list, without entries removed since. Throws
   * `history/list-ended` once a later list has been counted.
   */
  rows(list: number, from: number, count: number): readonly HistoryEntry[];
  suggest(text: string, caret: number): HistorySuggestions;
  /** Undefined if the entry was removed or its job is being retried. */
  get(id: string): HistoryEntry | undefined;
  getAll(ids: readonly string[]): readonly HistoryEntry[];
  /** Throws `job/not-found` if there is no such entry. */
  detail(id: string): HistoryRecord;
  /** Path of the watched folder that a job's source came from. */
  watchFolderOf(id: string): string | null;
  /**
   * Job ids of the selection, newest first, without a limit. Rejects with `history/list-ended` like
   * `rows`.
   */
  resolveSelection(choice: SelectionRef): Promise<readonly string[]>;
  /**
   * Finds up to `most` entries in batches, independently of the current list. An empty text matches
   * all of history.
   */
  find(text: string, most?: number): Promise<HistoryFind>;
  /** Up to `most` ids that start with this prefix, in any case. */
  findIdsByPrefix(beginning: string, most: number): readonly string[];
  /** Rejects like `resolveSelection` and `Annotations.update`. */
  update(choice: SelectionRef, mark: Annotation, watched?: LongTask): Promise<void>;
  /** Reports entries that were changed without going through history or the job store. */
  notifyChanged(ids: readonly string[]): void;
  /**
   * Removes entries from every list and search; `show` restores them unchanged. 1,000 entries take
   * less than 0.1 s; callers with more split them into batches.
   */
  hide(ids: readonly string[]): void;
  show(ids: readonly string[]): void;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly clock: Pick<Clock, 'now'>;
  readonly store: Pick<JobStore, 'get' | 'onEvent'>;
  readonly writes: Pick<WriteGate, 'write' | 'commit'>;
  /** Worker module: `./list-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
  readonly compareNames: CompareNames;
  onDefect(error: unknown): void;
}

const maxOthers = 50;
/** Takes a few milliseconds. */
const idsPerBatch = 2000;

export function createHistory({
  database,
  clock,
  store,
  writes,
  workerUrl,
  compareNames,
  onDefect,
}: Dependencies): History {
  const reader = createEntryReader(database, onDefect);
  const entries = createEntrySearch(database, clock);
  const current = createResultList({ database, search: entries, workerUrl, onDefect });
  const annotations = createAnnotations(database, writes, compareNames);
  const changes = createHistoryChanges(database, store, onDefect);
  const stopping = new AbortController();

  const selectIds = database.prepare(
    `SELECT id FROM history_entry JOIN job ON job.number = history_entry.job
     WHERE history_entry.number IN (SELECT value FROM json_each(?)) ORDER BY history_entry.number DESC`,
  );
  const selectByPrefix = database.prepare(
    `SELECT id FROM job JOIN history_entry ON history_entry.job = job.number
     WHERE id >= :beginning AND id < :beginning || char(0x10ffff) ORDER BY id LIMIT :most`,
  );
  const selectExisting = database.prepare(
    `SELECT id, history_entry.number FROM job JOIN history_entry ON history_entry.job = job.number
     WHERE id IN (SELECT value FROM json_each(?)) ORDER BY history_entry.number DESC`,
  );
  const others = `history_entry ON history_entry.job = job.number
     WHERE job.id <> :id AND history_entry.number < ${endOfKeys} AND`;
  const selectSameAudio = database.prepare(
    `SELECT history_entry.number FROM job JOIN ${others} source_sha256 = :content
     ORDER BY history_entry.number DESC LIMIT ${maxOthers}`,
  );
  const selectSameText = database.prepare(
    `SELECT history_entry.number FROM job JOIN ${others} substr(text, 1, 64) = substr(:content, 1, 64) AND text = :content
     ORDER BY history_entry.number DESC LIMIT ${maxOthers}`,
  );
  const selectFolder = database.prepare(
    'SELECT watch_folder FROM history_origin WHERE job = (SELECT number FROM job WHERE id = ?)',
  );
  const insertRemoved = database.prepare(
    `INSERT INTO history_removed (job, number, removed_at) SELECT history_entry.job, history_entry.number, :now
     FROM history_entry JOIN job ON job.number = history_entry.job WHERE id IN (SELECT value FROM json_each(:ids))`,
  );
  const deleteRemoved = database.prepare(
    'DELETE FROM history_removed WHERE job IN (SELECT number FROM job WHERE id IN (SELECT value FROM json_each(?)))',
  );

  const get = (id: string): HistoryEntry | undefined => reader.byJobIds([id])[0];

  function watchFolderOf(id: string): string | null {
    const watchFolder = selectFolder.get(id)?.['watch_folder'];
    return typeof watchFolder === 'string' ? watchFolder : null;
  }

  function othersOf(job: Job): readonly HistoryEntry[] {
    const content = job.kind === 'speech' ? job.text : job.sourceSha256;
    if (content === null) return [];
    const select = job.kind === 'speech' ? selectSameText : selectSameAudio;
    return reader.byNumbers(select.all({ id: job.id, content }).map(({ number }) => Number(number)));
  }

  async function existingIds(ids: readonly string[]): Promise<readonly string[]> {
    const found = new Map<string, number>();
    for (const some of batchesOf(ids, idsPerBatch)) {
      for (const { id, number } of selectExisting.all(JSON.stringify(some))) found.set(String(id), Number(number));
      await nextTurn();
    }
    return [...found].sort(([, a], [, b]) => b - a).map(([id]) => id);
  }

  async function resolveSelection(choice: SelectionRef): Promise<readonly string[]> {
    if ('ids' in choice) return existingIds(choice.ids);
    // A later list must not change this selection, so its numbers are read once.
    const numbers = current.numbers(choice.list);
    const ids: string[] = [];
    let from = 0;
    for (const [first, end] of choice.ranges.toSorted(([a], [b]) => a - b)) {
      for (from = Math.max(from, first); from < Math.min(end, numbers.length);) {
        const to = Math.min(end, from + idsPerBatch);
        for (const { id } of selectIds.all(JSON.stringify([...numbers.subarray(from, to)]))) ids.push(String(id));
        from = to;
        await nextTurn();
      }
    }
    return ids;
  }

  return {
    search(text) {
      const { numbers, ...page } = current.search(text);
      return { ...page, entries: reader.byNumbers(numbers) };
    },
    rows: (list, from, count) => reader.byNumbers([...current.numbers(list).subarray(from, from + count)]),
    suggest: createSuggest(database, clock.now, compareNames),
    get,
    getAll: reader.byJobIds,
    detail(id) {
      const [entry, job] = [get(id), store.get(id)];
      if (!entry || !job) throw new AppError('job/not-found', `history has no entry ${id}`);
      return {
        entry,
        job,
        watchFolder: watchFolderOf(id),
        others: othersOf(job),
      };
    },
    watchFolderOf,
    resolveSelection,
    async find(text, most = Infinity) {
      const { match, errors } = entries.parse(text);
      const ids: string[] = [];
      for (let { below } = match; ;) {
        const limit = Math.min(idsPerBatch, most - ids.length);
        const numbers = entries.newest({ ...match, below }, limit);
        for (const { id } of selectIds.all(JSON.stringify(numbers))) ids.push(String(id));
        below = numbers.at(-1) ?? 0;
        if (numbers.length < limit || ids.length >= most) return { ids, errors };
        await nextTurn();
      }
    },
    findIdsByPrefix: (beginning, most) =>
      selectByPrefix.all({ beginning: beginning.toLowerCase(), most }).map(({ id }) => String(id)),
    async update(choice, mark, watched) {
      const ids = await resolveSelection(choice);
      try {
        const signals = [stopping.signal, ...(watched ? [watched.signal] : [])];
        await annotations.update(ids, mark, AbortSignal.any(signals), watched?.onProgress);
      } finally {
        changes.notify(ids);
      }
    },
    tags: annotations.tags,
    notifyChanged: changes.notify,
    hide(ids) {
      writes.write(() =>
        transaction(database, () => insertRemoved.run({ ids: JSON.stringify(ids), now: clock.now() })),
      );
      changes.notify([]);
    },
    show(ids) {
      writes.write(() => transaction(database, () => deleteRemoved.run(JSON.stringify(ids))));
      changes.notify([]);
    },
    onListed: current.onListed,
    onChanged: changes.onChanged,
    flush: changes.flush,
    async stop() {
      stopping.abort(new AppError('job/cancelled', 'history is closed'));
      changes.stop();
      await current.stop();
    },
  };
}
