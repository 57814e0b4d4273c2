import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import type { SelectionRef, HistorySuggestions, QueryError } from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import { transaction } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { createListeners } from '../events.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import {
  endOfKeys,
  createEntryReader,
  createAnnotations,
  type HistoryEntry,
  type Annotation,
  type Annotations,
} from './entries.ts';
import type { LongTask } from './history-files.ts';
import { createSuggest } from './query.ts';
import { createResultList, type ResultList } from './result-list.ts';
import { createEntrySearch } from './search.ts';

/** What happened in history since the last news. */
export interface HistoryChange {
  /** Entries that are others now, or new. Some may have left meanwhile. */
  readonly ids: readonly string[];
  /** Entries came or went, or so many changed that a list had better be read again. */
  readonly isStale: boolean;
}

/**
 * Tells of changes, by this process or another one, a few times a second at most. `look` is called after each write to history that
 * the journal does not tell of. `stop` ends it; nothing is told afterwards.
 */
export interface HistoryChanges {
  look(changedIds: readonly string[]): void;
  /** Tells at once what waits to be told. */
  tellNow(): void;
  onChanged(listener: (news: HistoryChange) => void): () => void;
  stop(): void;
}

/** As often as a person sees a change. */
const everyMs = 250;
/** More rows than anybody has on a screen. */
const mostIds = 1000;

export function createHistoryChanges(
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

  function tell(): void {
    timer = undefined;
    const change = changeNow();
    const isTooMany = changed.size > mostIds;
    const isStale = change !== lastChange || isTooMany;
    const ids = isTooMany ? [] : [...changed];
    lastChange = change;
    changed.clear();
    if (isStale || ids.length > 0) listeners.tell({ ids, isStale });
  }

  /** A bad page of the database may be read before it is found and put right. */
  function tellSafely(): void {
    try {
      tell();
    } catch (error) {
      onDefect(error);
    }
  }

  function look(ids: readonly string[]): void {
    if (isStopped) return;
    for (const id of ids) if (changed.size <= mostIds) changed.add(id);
    timer ??= setTimeout(tellSafely, everyMs);
  }

  const endNews = store.onEvent((news) => {
    if (news.kind === 'put') look(news.jobs.filter(hasEnded).map(({ id }) => id));
    else if (news.kind === 'unlisted') look(news.ids);
  });

  return {
    look,
    tellNow() {
      if (timer === undefined) return;
      clearTimeout(timer);
      tell();
    },
    onChanged: listeners.add,
    stop() {
      isStopped = true;
      endNews();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** The newest entries that a search finds. */
export interface HistoryHits {
  /** Names this list in `rows` and in choices, until the next search. */
  readonly list: number;
  readonly entries: readonly HistoryEntry[];
  /** These are all. */
  readonly isWhole: boolean;
  readonly faults: readonly QueryError[];
  readonly terms: readonly string[];
}

/** All that a search finds, or its newest. */
export interface HistoryFind {
  /** Of jobs, newest first. */
  readonly ids: readonly string[];
  readonly faults: readonly QueryError[];
}

/** One entry with all that is kept of it. */
export interface HistoryRecord {
  readonly entry: HistoryEntry;
  readonly job: Job;
  /** Path of the watched folder that it came from. */
  readonly watchFolder: string | null;
  /** Other entries of the same sound or text, newest first, up to fifty. */
  readonly others: readonly HistoryEntry[];
}

/**
 * Everything that was ever made, as the database's history tables have it (migration 6): finds it, lists it, and keeps what a person
 * says of it. Jobs get there and leave by themselves. All is answered at once, but for the counting of a list, which a thread does, and
 * marks. `stop` ends the thread and the news; the database is closed by whoever opened it.
 */
export interface History
  extends Pick<ResultList, 'onListed'>, Pick<HistoryChanges, 'onChanged' | 'tellNow'>, Pick<Annotations, 'tags'> {
  /** Finds the newest, and begins to count the rest: `onListed` tells, and ends the list of an earlier search. */
  search(text: string): HistoryHits;
  /** Up to `count` rows of a counted list. One that left history since is left out. Throws `history/list-ended` where a later one was counted. */
  rows(list: number, from: number, count: number): readonly HistoryEntry[];
  suggest(text: string, caret: number): HistorySuggestions;
  /** Undefined where there is no such entry, because it was removed, or its job is tried again. */
  get(id: string): HistoryEntry | undefined;
  getAll(ids: readonly string[]): readonly HistoryEntry[];
  /** Throws `job/not-found` where there is no such entry. */
  detail(id: string): HistoryRecord;
  /** Ids of the jobs that are meant, newest first, however many. Rejects with `history/list-ended` as `rows` does. */
  choose(choice: SelectionRef): Promise<readonly string[]>;
  /** Finds up to `most` entries, a part at a time, apart from the list that is looked at. All of history for an empty text. */
  find(text: string, most?: number): Promise<HistoryFind>;
  /** Ids that begin so, as a person writes the beginning of one: up to `most`. */
  idsWith(beginning: string, most: number): readonly string[];
  /** Rejects as `choose`, and as `Annotations.mark`. */
  mark(choice: SelectionRef, mark: Annotation, watched?: LongTask): Promise<void>;
  /** Rows of these entries are others now, by somebody's hand that wrote beside history and the journal. */
  changed(ids: readonly string[]): void;
  /**
   * Takes entries out of every list and search. Nothing of them is lost: `show` brings them back as they were. A thousand take
   * less than 0.1 s; whoever has more goes by parts.
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
  /** Module of the thread: `./list-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
  onDefect(error: unknown): void;
}

const mostOthers = 50;
/** A few milliseconds. */
const idsAtOnce = 2000;

export function createHistory({ database, clock, store, writes, workerUrl, onDefect }: Dependencies): History {
  const reader = createEntryReader(database, onDefect);
  const entries = createEntrySearch(database, clock);
  const current = createResultList({ database, search: entries, workerUrl, onDefect });
  const marks = createAnnotations(database, writes);
  const news = createHistoryChanges(database, store, onDefect);
  const stopping = new AbortController();

  const selectIds = database.prepare(
    `SELECT id FROM history_entry JOIN job ON job.number = history_entry.job
     WHERE history_entry.number IN (SELECT value FROM json_each(?)) ORDER BY history_entry.number DESC`,
  );
  const selectWith = database.prepare(
    `SELECT id FROM job JOIN history_entry ON history_entry.job = job.number
     WHERE id >= :beginning AND id < :beginning || char(0x10ffff) ORDER BY id LIMIT :most`,
  );
  const selectThere = database.prepare(
    `SELECT id, history_entry.number FROM job JOIN history_entry ON history_entry.job = job.number
     WHERE id IN (SELECT value FROM json_each(?)) ORDER BY history_entry.number DESC`,
  );
  const others = `history_entry ON history_entry.job = job.number
     WHERE job.id <> :id AND history_entry.number < ${endOfKeys} AND`;
  const selectSameSound = database.prepare(
    `SELECT history_entry.number FROM job JOIN ${others} source_sha256 = :content
     ORDER BY history_entry.number DESC LIMIT ${mostOthers}`,
  );
  const selectSameText = database.prepare(
    `SELECT history_entry.number FROM job JOIN ${others} substr(text, 1, 64) = substr(:content, 1, 64) AND text = :content
     ORDER BY history_entry.number DESC LIMIT ${mostOthers}`,
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

  const get = (id: string): HistoryEntry | undefined => reader.ofJobs([id])[0];

  function othersOf(job: Job): readonly HistoryEntry[] {
    const content = job.kind === 'speech' ? job.text : job.sourceSha256;
    if (content === null) return [];
    const select = job.kind === 'speech' ? selectSameText : selectSameSound;
    return reader.ofNumbers(select.all({ id: job.id, content }).map(({ number }) => Number(number)));
  }

  async function chooseThere(ids: readonly string[]): Promise<readonly string[]> {
    const found = new Map<string, number>();
    for (let start = 0; start < ids.length; start += idsAtOnce) {
      const rows = selectThere.all(JSON.stringify(ids.slice(start, start + idsAtOnce)));
      for (const { id, number } of rows) found.set(String(id), Number(number));
      await nextTurn();
    }
    return [...found].sort(([, a], [, b]) => b - a).map(([id]) => id);
  }

  async function choose(choice: SelectionRef): Promise<readonly string[]> {
    if ('ids' in choice) return chooseThere(choice.ids);
    // A later list that is counted meanwhile changes nothing of what was chosen.
    const numbers = current.numbers(choice.list);
    const ids: string[] = [];
    let from = 0;
    for (const [first, end] of choice.ranges.toSorted(([a], [b]) => a - b)) {
      for (from = Math.max(from, first); from < Math.min(end, numbers.length);) {
        const to = Math.min(end, from + idsAtOnce);
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
      return { ...page, entries: reader.ofNumbers(numbers) };
    },
    rows: (list, from, count) => reader.ofNumbers([...current.numbers(list).subarray(from, from + count)]),
    suggest: createSuggest(database, clock.now),
    get,
    getAll: reader.ofJobs,
    detail(id) {
      const [entry, job] = [get(id), store.get(id)];
      if (!entry || !job) throw new AppError('job/not-found', `history has no entry ${id}`);
      const watchFolder = selectFolder.get(id)?.['watch_folder'];
      return {
        entry,
        job,
        watchFolder: typeof watchFolder === 'string' ? watchFolder : null,
        others: othersOf(job),
      };
    },
    choose,
    async find(text, most = Infinity) {
      const { match, faults } = entries.read(text);
      const ids: string[] = [];
      for (let { below } = match; ;) {
        const limit = Math.min(idsAtOnce, most - ids.length);
        const numbers = entries.newest({ ...match, below }, limit);
        for (const { id } of selectIds.all(JSON.stringify(numbers))) ids.push(String(id));
        below = numbers.at(-1) ?? 0;
        if (numbers.length < limit || ids.length >= most) return { ids, faults };
        await nextTurn();
      }
    },
    idsWith: (beginning, most) =>
      selectWith.all({ beginning: beginning.toLowerCase(), most }).map(({ id }) => String(id)),
    async mark(choice, mark, watched) {
      const ids = await choose(choice);
      try {
        const signals = [stopping.signal, ...(watched ? [watched.signal] : [])];
        await marks.mark(ids, mark, AbortSignal.any(signals), watched?.onProgress);
      } finally {
        news.look(ids);
      }
    },
    tags: marks.tags,
    changed: news.look,
    hide(ids) {
      writes.write(() =>
        transaction(database, () => insertRemoved.run({ ids: JSON.stringify(ids), now: clock.now() })),
      );
      news.look([]);
    },
    show(ids) {
      writes.write(() => transaction(database, () => deleteRemoved.run(JSON.stringify(ids))));
      news.look([]);
    },
    onListed: current.onListed,
    onChanged: news.onChanged,
    tellNow: news.tellNow,
    async stop() {
      stopping.abort(new AppError('job/cancelled', 'history is closed'));
      news.stop();
      await current.stop();
    },
  };
}
