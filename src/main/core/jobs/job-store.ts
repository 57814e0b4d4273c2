import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../shared/errors.ts';
import { type ConnectionDocument, localConnectionId } from '../../../shared/schemas/connection.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { Clock } from '../clock.ts';
import type { StoredRow } from '../database/columns.ts';
import { unfinished } from '../database/schema.ts';
import { afterCommit, createVersionReader, transaction, relaxedCommit } from '../database/sqlite.ts';
import { createListeners } from '../events.ts';
import { createConnectionDocuments } from './connection-documents.ts';
import {
  type ClaimQuery,
  type DueJobs,
  type DueQuery,
  type EarlierConversionsQuery,
  type LeftConversionsQuery,
  createNameReserver,
  createJobOwners,
  createDueJobs,
  createLastVoice,
  createRecentVoices,
  reposition,
  processingSpeedOf,
} from './job-queries.ts';
import {
  changedColumns,
  changingColumns,
  fixedColumns,
  isReadable,
  type JobRecording,
  nextChangeNumber,
  readJobRow,
  readRecording,
} from './job-row.ts';
import { type ConversionJob, hasEnded, type Job, type JobSource, neverSentCodes, type SpeechJob } from './job.ts';
import type { ProcessLock } from './process-lock.ts';

/** The change that cancels a job. A paid call that was sent may still be charged; this computer charges nothing. */
export const cancelling = ({ state, connection }: Job): JobChange => ({
  state: 'cancelled',
  problem: state === 'converting' && connection.id !== localConnectionId ? { code: 'service/may-charge' } : null,
});

interface Dependencies {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  readonly processLock: ProcessLock;
  /** True in a command, which waits for the outcome of its jobs. */
  readonly isCommand: boolean;
  /** The document that a connection has now; undefined if it was removed. If omitted, jobs keep theirs. */
  documentNow?(connectionId: string): ConnectionDocument | undefined;
  /** Called with a job that is done, in the transaction that says so: what it writes is committed with it. */
  recordDone?(job: Job): void;
  /** Called for an unreadable row, which is skipped and left unchanged. */
  onDefect(error: unknown): void;
}

/** States in which earlier failures still count because the failed step has not succeeded yet. */
const stillTrying: ReadonlySet<Job['state']> = new Set([
  'creating',
  'uploading',
  'converting',
  'converted',
  'publishing',
]);

/** States of a job that waits for a call that makes its result. */
const waitingStates: ReadonlySet<Job['state']> = new Set(['queued', 'created', 'uploaded']);

/** Reading a shorter text takes no longer than reading the rest of its row. */
const minCachedTextLength = 100_000;
const maxCachedTexts = 4;

/**
 * Jobs in the data folder's database, shared by all processes that use it. Each write is one transaction
 * and is synced to disk before it returns; only `addRelaxed`, `changeRelaxed` and `reserveName` leave that to the next
 * write. The process in a row's `owner` column owns the job; once it is dead, another may claim the job.
 */
export function createJobStore(dependencies: Dependencies): JobStore {
  const { database, clock, processLock, isCommand, documentNow, recordDone, onDefect } = dependencies;
  const listeners = createListeners<JobEvent>(onDefect);
  const statement = (sql: string) => database.prepare(sql);

  const selectOne = statement(`SELECT * FROM job WHERE id = ?`);
  const columns = statement("SELECT name FROM pragma_table_xinfo('job') WHERE name <> 'text'").all();
  const selectWithoutText = statement(
    `SELECT ${columns.map(({ name }) => String(name)).join(', ')} FROM job WHERE id = ?`,
  );
  const selectPage = statement(`SELECT * FROM job WHERE is_listed = 1 AND position > ? ORDER BY position LIMIT ?`);
  const selectChanged = statement(
    'SELECT * FROM job WHERE change_number > ? AND change_number <= ? AND is_listed = 1 ORDER BY change_number',
  );
  const selectUnlisted = statement(
    'SELECT id FROM job WHERE change_number > ? AND change_number <= ? AND is_listed = 0',
  );
  const selectListed = statement('SELECT id FROM job WHERE is_listed = 1');
  // Imported entries may hold integers beyond 2^53, which node:sqlite otherwise throws for.
  for (const select of [selectOne, selectWithoutText, selectChanged]) select.setReadBigInts(true);
  const selectNeverSent = statement(
    `SELECT id FROM job WHERE is_listed = 1 AND state = 'failed'
       AND iif(json_valid(problem), problem ->> '$.code', '') IN (SELECT value FROM json_each(?))`,
  );
  const selectFailedAlike = statement(
    `SELECT id FROM job WHERE is_listed = 1 AND state = 'failed' AND problem = (SELECT problem FROM job WHERE id = ?)
     ORDER BY position`,
  );
  const selectTaskOwner = statement(
    `SELECT 1 FROM job WHERE task_id = :taskId AND connection_id = :connectionId AND id <> :id
       AND state IN ('created', 'uploading', 'uploaded', 'converting')`,
  );
  const selectLastChange = statement('SELECT coalesce(max(change_number), 0) AS change FROM job');
  const selectLastPosition = statement('SELECT coalesce(max(position), 0) AS position FROM job');
  const selectLastCreation = statement(
    `SELECT coalesce(max(created_at), 0) AS created_at FROM job WHERE ${unfinished}`,
  );
  const readVersion = createVersionReader(database);
  // The plus sign keeps SQLite from reading all rows of a table for each few that it was asked for.
  const setSource = statement(
    `UPDATE job SET source = :source WHERE id IN (SELECT value FROM json_each(:ids)) AND +source_path = :path AND ${unfinished}`,
  );
  const lastChange = () => numberOf(selectLastChange.get(), 'change');
  let lastSeen = lastChange();
  let lastVersion = readVersion();
  /** Ids of the listed jobs; `removed` is emitted only for these. */
  const shown = new Set(selectListed.all().map(({ id }) => String(id)));

  function numberOf(row: StoredRow | undefined, column: string): number {
    return Number(row?.[column] ?? 0);
  }

  const documents = createConnectionDocuments(database);

  /** A job that waits for its next call is sent as its connection says by now: it may have been mended. Never to other hosts. */
  function withDocumentNow(job: Job): Job {
    const { connection } = job;
    const document = waitingStates.has(job.state) ? documentNow?.(connection.id) : undefined;
    if (!document || !isDeepStrictEqual(document.hosts, connection.document.hosts)) return job;
    return { ...job, connection: { ...connection, document } };
  }

  function read(row: StoredRow): Job | undefined {
    try {
      return withDocumentNow(readJobRow(row, documents.get));
    } catch (error) {
      onDefect(error);
      return undefined;
    }
  }

  function* readAll(rows: Iterable<StoredRow>): Generator<Job> {
    for (const row of rows) {
      const job = read(row);
      if (job) yield job;
    }
  }

  const conversionsIn = (rows: Iterable<StoredRow>): readonly ConversionJob[] =>
    [...readAll(rows)].filter((job): job is ConversionJob => job.kind === 'conversion');

  const speechIn = (rows: Iterable<StoredRow>): readonly SpeechJob[] =>
    [...readAll(rows)].filter((job) => job.kind === 'speech');

  /**
   * Long texts of unfinished jobs by job id, the last read one last. A text never changes, and reading one of 5 MB takes most of
   * the time of a change.
   */
  const textCache = new Map<string, string>();
  function cacheText(job: Job): void {
    const { id } = job;
    textCache.delete(id);
    if (job.kind !== 'speech' || job.text.length < minCachedTextLength || hasEnded(job)) return;
    textCache.set(id, job.text);
    for (const old of [...textCache.keys()].slice(0, -maxCachedTexts)) textCache.delete(old);
  }

  const get = (id: string): Job | undefined => {
    const text = textCache.get(id);
    const stored = (text === undefined ? selectOne : selectWithoutText).get(id);
    const job = stored && read(text === undefined ? stored : { ...stored, text });
    if (job) cacheText(job);
    return job;
  };

  const missing = (id: string) => new AppError('job/not-found', `no job ${id}`);
  function getOrThrow(id: string): Job {
    const job = get(id);
    if (!job) throw missing(id);
    return job;
  }
  function selectOrThrow(id: string): StoredRow {
    const row = selectOne.get(id);
    if (!row) throw missing(id);
    return row;
  }

  const writers = new Map<string, ReturnType<typeof statement>>();
  /** Binds by position: for as many columns, node:sqlite takes twice as long by name. */
  function write(sql: string, values: readonly SQLInputValue[]): void {
    const writer = writers.get(sql) ?? statement(sql);
    writers.set(sql, writer);
    writer.run(...values);
  }

  function insert(job: Job): void {
    // A row that cannot be read back would be a job that never ends.
    if (!isReadable(job)) throw new AppError('request/invalid', `settings of job ${job.id} that cannot be stored`);
    const hash = documents.save(job.connection.document);
    const values = {
      ...fixedColumns(job, hash),
      ...changingColumns(job),
      owner: processLock.id,
      requested_by: isCommand ? processLock.id : null,
    };
    const keys = Object.keys(values);
    write(
      `INSERT INTO job (${keys.join(', ')}, change_number) VALUES (${keys.map(() => '?').join(', ')}, ${nextChangeNumber})`,
      Object.values(values),
    );
  }

  /** Writes what a change made of a job; `own` makes this process its owner. */
  function update(before: Job, after: Job, own: boolean): void {
    const goesOn = waitingStates.has(before.state) && after.state !== before.state;
    const values = {
      ...changedColumns(before, after),
      ...(goesOn && { document_hash: documents.save(before.connection.document) }),
      ...(own && { owner: processLock.id }),
    };
    const sets = Object.keys(values).map((key) => `${key} = ?`);
    write(`UPDATE job SET ${sets.join(', ')}, change_number = ${nextChangeNumber} WHERE id = ?`, [
      ...Object.values(values),
      after.id,
    ]);
  }

  function changed(before: Job, change: JobChange): Job {
    const now = clock.now();
    const after = { ...before, ...change, revision: before.revision + 1 } as Job;
    if (after.state === before.state) return after;
    // A restarted step has not succeeded yet, so earlier failures still count.
    const consecutiveFailures = stillTrying.has(after.state) ? before.consecutiveFailures : 0;
    const isInDoubt = after.state === 'uncertain' || (after.state === 'cancelled' && before.state === 'converting');
    // Later than the creation of all jobs that are open, even if the clock was set back since: they know of no doubt.
    const stateChangedAt = isInDoubt ? Math.max(now, numberOf(selectLastCreation.get(), 'created_at') + 1) : now;
    const reset = { nextTryAt: null, consecutiveFailures, problem: null, ...change };
    const spent = (before.timings[before.state] ?? 0) + Math.max(0, now - before.stateChangedAt);
    return {
      ...after,
      nextTryAt: reset.nextTryAt,
      consecutiveFailures: reset.consecutiveFailures,
      problem: reset.problem,
      stateChangedAt,
      startedAt: before.startedAt ?? (after.state === 'creating' || after.state === 'converting' ? now : null),
      endedAt: hasEnded(after) ? now : null,
      timings: { ...before.timings, [before.state]: spent },
    };
  }

  /** Changes of the running `batch`, which are one event. */
  let batched: Job[] | null = null;

  /** Emits once the outermost transaction has committed. */
  function emitUpserted(jobs: readonly Job[]): void {
    if (batched) {
      batched.push(...jobs);
      return;
    }
    if (jobs.length === 0) return;
    afterCommit(database, () => {
      for (const { id, isListed } of jobs) if (isListed) shown.add(id);
      listeners.emit({ kind: 'upserted', jobs });
    });
  }

  function batch<T>(work: () => T): T {
    return transaction(database, () => {
      const jobs: Job[] = [];
      batched = jobs;
      let result: T;
      try {
        result = work();
      } finally {
        batched = null;
      }
      emitUpserted(jobs);
      return result;
    });
  }

  function emitRemoved(ids: readonly string[]): void {
    afterCommit(database, () => {
      const gone = ids.filter((id) => shown.delete(id));
      if (gone.length > 0) listeners.emit({ kind: 'removed', ids: gone });
    });
  }

  function add(added: readonly NewJob[]): readonly Job[] {
    const now = clock.now();
    const jobs = transaction(database, () => {
      const last = numberOf(selectLastPosition.get(), 'position');
      return added.map((given, k) => {
        const job = addedJob(given, now, Math.floor(last) + k + 1);
        insert(job);
        return job;
      });
    });
    emitUpserted(jobs);
    return jobs;
  }

  function change(id: string, values: JobChange): Job {
    const job = transaction(database, () => {
      const before = getOrThrow(id);
      if (hasEnded(before)) throw new AppError('job/cancelled', `job ${id} is ${before.state} already`);
      const after = changed(before, values);
      update(before, after, false);
      if (after.state === 'done') recordDone?.(after);
      cacheText(after);
      return after;
    });
    emitUpserted([job]);
    return job;
  }

  const addRelaxed = (jobs: readonly NewJob[]): readonly Job[] => relaxedCommit(database, () => add(jobs));

  const changeRelaxed = (id: string, values: JobChange): Job => relaxedCommit(database, () => change(id, values));

  function reopen(id: string, values: JobChange): Job {
    const job = transaction(database, () => {
      const before = getOrThrow(id);
      if (!hasEnded(before)) return before;
      const after: Job = { ...changed(before, values), isListed: true };
      update(before, after, true);
      return after;
    });
    emitUpserted([job]);
    return job;
  }

  function remove(ids: readonly string[]): void {
    const removed = transaction(database, () =>
      ids.filter((id) => {
        const job = get(id);
        if (!job || !hasEnded(job) || !job.isListed) return false;
        update(job, { ...job, isListed: false, revision: job.revision + 1 }, false);
        return true;
      }),
    );
    emitRemoved(removed);
  }

  function reorder(ids: readonly string[], before: string | null): void {
    const moved = transaction(database, () => {
      if (before !== null && !get(before)) return [];
      const waiting = ids.filter((id) => id !== before && get(id)?.state === 'queued');
      return reposition(database, waiting, before) === 'all'
        ? selectPage.all(-Infinity, -1)
        : waiting.map(selectOrThrow);
    });
    emitUpserted([...readAll(moved)]);
  }

  const owners = createJobOwners(database, processLock);
  const dueJobs = createDueJobs(database, processLock.id);
  const reserveName = createNameReserver(database);

  return {
    ...dueJobs,
    add,
    get,
    change,
    addRelaxed,
    changeRelaxed,
    batch,
    cancel: (id) =>
      transaction(database, () => {
        const job = get(id);
        return job && !hasEnded(job) && job.state !== 'publishing' ? change(id, cancelling(job)) : undefined;
      }),
    lastChange,
    emitPending: (job, values) => emitUpserted([changed(job, values)]),
    reopen,
    // The next commit writes the name itself and syncs to disk.
    reserveName: (id, path) => relaxedCommit(database, () => reserveName(id, path)),
    remove,
    reorder,
    renewSource: (ids, source) =>
      void setSource.run({ source: JSON.stringify(source), ids: JSON.stringify(ids), path: source.path }),
    listNeverSent: () => selectNeverSent.all(JSON.stringify(neverSentCodes)).flatMap(({ id }) => get(String(id)) ?? []),
    failedAlike: (id) => selectFailedAlike.all(id).map((row) => String(row['id'])),
    page: (after, limit) => [...readAll(selectPage.all(after ?? -Infinity, limit))],
    due: (connectionId, query) => [...readAll(dueJobs.due(connectionId, query))],
    jobsToPreflight: (connectionId, query) => conversionsIn(dueJobs.jobsToPreflight(connectionId, query)),
    claim(which) {
      // In one transaction, so that no row is gone before it is read. An unreadable row does not keep the others from being claimed.
      const claimed = transaction(database, () => owners.claim(which).flatMap((id) => get(id) ?? []));
      emitUpserted(claimed);
      return claimed;
    },
    unacknowledgedSpeech: (text) => speechIn(owners.unacknowledgedSpeech(text)),
    unfetchedSpeech: (text) => speechIn(owners.unfetchedSpeech(text)),
    earlierSpeech: (text) => speechIn(owners.earlierSpeech(text)),
    earlierConversions: (query) => owners.earlierConversions(query).flatMap((row) => readRecording(row) ?? []),
    *leftConversions(query) {
      for (const rows of owners.leftConversions(query)) yield rows.flatMap((row) => readRecording(row) ?? []);
    },
    requestJobs: owners.requestJobs,
    acknowledge: owners.acknowledge,
    hasTask: ({ id, connection }, taskId) =>
      selectTaskOwner.get({ taskId, connectionId: connection.id, id }) !== undefined,
    isElsewhere: owners.isElsewhere,
    isAwaitedElsewhere: owners.isAwaitedElsewhere,
    processingSpeed: (connectionId) => processingSpeedOf(database, connectionId),
    findLastVoice: createLastVoice(database),
    recentVoices: createRecentVoices(database),
    poll() {
      // Read this before the version: if no other process wrote by then, all changes so far are ours.
      const own = lastChange();
      const version = readVersion();
      if (version === lastVersion) {
        lastSeen = own;
        return;
      }
      lastVersion = version;
      const [after, upTo] = [lastSeen, lastChange()];
      lastSeen = upTo;
      emitUpserted([...readAll(selectChanged.all(after, upTo))]);
      const ids = selectUnlisted.all(after, upTo).map(({ id }) => String(id));
      emitRemoved(ids);
      if (ids.length > 0) listeners.emit({ kind: 'unlisted', ids });
    },
    emitChanged: (ids) => emitUpserted(ids.flatMap((id) => get(id) ?? []).filter(({ isListed }) => isListed)),
    onEvent: listeners.add,
  };
}

/** A job as the store adds it. */
export const addedJob = <J extends NewJob>(job: J, now: number, position = 0) => ({
  ...job,
  position,
  revision: 1,
  createdAt: now,
  stateChangedAt: now,
  startedAt: null,
  endedAt: hasEnded(job) ? now : null,
  attempts: 0,
  consecutiveFailures: 0,
  timings: {},
  isListed: true,
});

type Given =
  | 'position'
  | 'revision'
  | 'createdAt'
  | 'stateChangedAt'
  | 'isListed'
  | 'attempts'
  | 'consecutiveFailures'
  | 'timings'
  | 'startedAt'
  | 'endedAt';

/** A job as requested; the store fills in the rest. */
export type NewJob = Omit<ConversionJob, Given> | Omit<SpeechJob, Given>;

type Fixed =
  'id' | 'kind' | 'position' | 'revision' | 'createdAt' | 'stateChangedAt' | 'connection' | 'voice' | 'timings';

export type JobChange = Partial<Omit<ConversionJob, Fixed | 'settings'>>;

export type JobEvent =
  | { readonly kind: 'upserted'; readonly jobs: readonly Job[] }
  | { readonly kind: 'removed'; readonly ids: readonly string[] }
  /** Another process changed unlisted jobs, such as history entries. */
  | { readonly kind: 'unlisted'; readonly ids: readonly string[] };

/**
 * Stores jobs. All methods are synchronous: a change is on disk before the call returns, so the caller can
 * act on it at once. Inside a transaction, it is on disk and its event is emitted after the commit.
 */
export interface JobStore extends Omit<DueJobs, 'due' | 'jobsToPreflight'> {
  /** Adds jobs of this process at the end of the queue, all or none. */
  add(jobs: readonly NewJob[]): readonly Job[];
  addRelaxed(jobs: readonly NewJob[]): readonly Job[];
  get(id: string): Job | undefined;
  /**
   * Changes a job that has not ended. A change of `state` sets `stateChangedAt` and the timings, and clears the retry
   * time, the failure count and the problem unless the change sets them. Throws `job/not-found` if there is
   * no such job, and `job/cancelled` if it has ended, possibly in another process.
   */
  change(id: string, change: JobChange): Job;
  /**
   * Like `change`, for changes that cost nothing to redo. They survive the process, but the call does not wait
   * for the disk, so a power cut may undo them.
   */
  changeRelaxed(id: string, change: JobChange): Job;
  /** Runs `work` in one transaction and emits the jobs that it changed as one event. Batches do not nest. */
  batch<T>(work: () => T): T;
  /**
   * Cancels a job of any process and returns it. Returns undefined if it has ended, or if its result is being
   * published: only its own process knows how that ends.
   */
  cancel(id: string): Job | undefined;
  /** Emits a change that is decided but not writable yet. */
  emitPending(job: Job, change: JobChange): void;
  /** Reopens an ended job in this process's queue, at its old position. */
  reopen(id: string, change: JobChange): Job;
  /**
   * Reserves a name for a job's result. Returns false if another result has or will have that name, or one
   * that some file systems treat as equal. Does not check whether the name is free in its folder.
   */
  reserveName(id: string, path: string): boolean;
  /** Unlists ended jobs and ignores others. History keeps all of them. */
  remove(ids: readonly string[]): void;
  /** Moves queued jobs, in this order, before another job; null moves them to the end of the queue. */
  reorder(ids: readonly string[], before: string | null): void;
  /** The file of these jobs was saved again. Those that have ended, or belong to another file, stay as they are. */
  renewSource(ids: readonly string[], source: JobSource): void;
  /** Listed jobs that failed before they were sent. */
  listNeverSent(): readonly Job[];
  /** Ids of the listed jobs that failed as this one did, with the same facts, in queue order. */
  failedAlike(id: string): readonly string[];
  /** Up to `limit` listed jobs after this position (exclusive; null starts at the first), ascending. */
  page(after: number | null, limit: number): readonly Job[];
  /** A connection's jobs that this process may run now, in queue order. */
  due(connectionId: string, query: DueQuery): readonly Job[];
  /** A connection's conversions of this process whose source has not been checked yet, in queue order. */
  jobsToPreflight(connectionId: string, query: Omit<DueQuery, 'onlyResults'>): readonly ConversionJob[];
  /** Claims jobs whose process is dead and returns the claimed jobs in queue order. */
  claim(which: ClaimQuery): readonly Job[];
  /** Speech jobs with this text requested by a command that died before it learned their outcome. */
  unacknowledgedSpeech(text: string): readonly SpeechJob[];
  /**
   * Failed and cancelled speech jobs with this text whose result was paid for but never saved. Omits those that a running
   * command waits for, and those that the user removed from history.
   */
  unfetchedSpeech(text: string): readonly SpeechJob[];
  /** Speech jobs with this text that are in history or in the queue, and neither failed nor were cancelled; latest first. */
  earlierSpeech(text: string): readonly SpeechJob[];
  /**
   * Conversions that are done, have not ended, or became uncertain or were cancelled since then, the latest first. Omits those
   * that the user removed from history, those that were imported, and those of a command that died before it learned their
   * outcome.
   */
  earlierConversions(query: EarlierConversionsQuery): readonly JobRecording[];
  /**
   * Conversions that nobody waits for, the first added first: those of a command that died before it learned their outcome,
   * those that a dead process has not ended, and failed and cancelled ones as `unfetchedSpeech` has of speech. In parts, between
   * which the caller lets the event loop run: there may be tens of thousands.
   */
  leftConversions(query: LeftConversionsQuery): Iterable<readonly JobRecording[]>;
  /** Number of the last change that any process has made to any job. */
  lastChange(): number;
  /** Records that this command waits for the outcome of these jobs. */
  requestJobs(ids: readonly string[]): void;
  /** Records that this command knows the outcome of these jobs. Another living one that waits for them has yet to report it. */
  acknowledge(ids: readonly string[]): void;
  /** True if another job, of any process, uploads to this task or has yet to be converted by it. */
  hasTask(job: Pick<Job, 'id' | 'connection'>, taskId: string): boolean;
  /** True if the job belongs to another process that is alive. */
  isElsewhere(id: string): boolean;
  /** True if another living command has yet to report the outcome of the job. */
  isAwaitedElsewhere(id: string): boolean;
  /**
   * Processing seconds per second of audio on this connection: the median of the last twenty finished jobs.
   * Null if there are fewer than five.
   */
  processingSpeed(connectionId: string): number | null;
  /** A voice as it was when a result was last made with it on this connection; it may no longer exist there. */
  findLastVoice(connectionId: string, voiceId: string): Voice | undefined;
  /** Ids of the voices that results of this connection were last made with, the latest first. */
  recentVoices(connectionId: string, most: number): readonly string[];
  /** Emits the changes that other processes wrote. Cheap enough to call twice a second. */
  poll(): void;
  /** Emits jobs that this process changed without the store, such as new paths of history files. */
  emitChanged(ids: readonly string[]): void;
  /** Emits every change, including those of other processes. */
  onEvent(listener: (event: JobEvent) => void): () => void;
}
