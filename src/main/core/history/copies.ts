import type { DatabaseSync } from 'node:sqlite';
import { extname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, type Problem } from '../../../shared/errors.ts';
import type { CopyStatus } from '../../../shared/schemas/copies.ts';
import type { CopySettings } from '../../../shared/schemas/settings.ts';
import type { Clock } from '../clock.ts';
import { createListeners } from '../events.ts';
import type { CopyContent, CopyStore } from '../files/copy-store.ts';
import { fileStampAt } from '../files/identity.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import { endOfKeys, keyAtTime } from './entries.ts';
import { type FileQueries, resultOf } from './file-status.ts';

/** What a copy of a job's result contains; null without a result. */
export function copyContentOf(job: Job): CopyContent | null {
  const file = resultOf(job);
  if (!file || file.sha256 === null || file.sizeBytes === null) return null;
  // The format stays the same if the user renames the file.
  return { sha256: file.sha256, sizeBytes: file.sizeBytes, extension: job.outputFormat ?? extname(file.path) };
}

/**
 * Copies the results of this process once they are published, one after the other and beside all else: a copy that fails
 * or hangs delays no job. What a kill or a failure left out is copied after the next start of the app.
 */
export interface Copies {
  /** Why the last result was not copied; null once one was. */
  problem(): Problem | null;
  status(): Promise<CopyStatus>;
  /** Applies changed settings: removes what is too much, and copies results that now count. */
  update(): void;
  /** Removes all copies, and copies nothing that waits for it. */
  removeAll(): Promise<void>;
  /**
   * Removes copies of results whose entries the user removed, unless an entry or a job still has the content. Looks at
   * the copies only if entries were removed since it last did.
   */
  removeForgotten(signal: AbortSignal): Promise<void>;
  /** Resolves once the result of this job has its copy, or gets none for now. */
  whenSettled(id: string): Promise<void>;
  /** Path of the job's result, or of its copy if the result is gone. */
  findSound(job: Job): Promise<string | undefined>;
  onChanged(listener: () => void): () => void;
  /** Cleans up after killed processes, and copies what they left out. Only in the app. */
  start(): void;
  /** Waits for what is being copied, not for long. Nothing is copied after it. Idempotent. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly store: Pick<JobStore, 'get' | 'onEvent' | 'owns'>;
  readonly copyStore: CopyStore;
  readonly settings: () => CopySettings;
  readonly fileQueries: FileQueries;
  readonly clock: Clock;
  /** How long `stop` waits for copies. */
  readonly patienceMs: number;
  onDefect(error: unknown): void;
}

const bytesPerGigabyte = 1e9;
/** Entries read at once. */
const entriesPerBatch = 200;
/** How long an aborted copy may take to remove its temporary file. A disk that hangs takes forever. */
const cleanUpMs = 1000;

export function createCopies(dependencies: Dependencies): Copies {
  const { database, store, copyStore, settings, fileQueries, clock, patienceMs, onDefect } = dependencies;
  const listeners = createListeners<void>(onDefect);
  const stopping = new AbortController();
  /** Aborted when the user removes all copies. */
  let round = new AbortController();
  const openedAt = clock.now();
  const maxBytes = (): number => settings().maxGigabytes * bytesPerGigabyte;
  /** Results of this process that were or will be copied. */
  const seen = new Set<string>();
  /** Jobs that had not ended: their results are new, whatever the clock says, which may have been set back. */
  const unfinished = new Set<string>();
  /** Ids of jobs. */
  let waiting: string[] = [];
  /** By job, for those that wait or are being copied. */
  const unsettled = new Map<string, PromiseWithResolvers<void>>();
  let isClosing = false;
  let isPastDue = false;
  let isTrimDue = false;
  let running: Promise<void> | undefined;
  let copying: Promise<unknown> | undefined;
  let problem: Problem | null = null;

  const selectPast = database.prepare(
    `SELECT history_entry.number, id, output_sha256 AS sha256, output_bytes AS bytes, ended_at AS ended FROM history_entry JOIN job ON job.number = history_entry.job
     WHERE history_entry.number >= :from AND history_entry.number < :below
       AND state = 'done' AND output_sha256 IS NOT NULL AND output_bytes IS NOT NULL
     ORDER BY history_entry.number DESC LIMIT ${entriesPerBatch}`,
  );
  // An undo that was interrupted shows its entries again at the next start.
  const selectUse = database.prepare(
    `SELECT count(*) AS jobs, coalesce(sum(
       NOT EXISTS (SELECT 1 FROM history_removed WHERE history_removed.job = job.number)
       OR EXISTS (SELECT 1 FROM pending_restore WHERE pending_restore.id = job.id)
     ), 0) AS used FROM job WHERE output_sha256 = ?`,
  );

  const selectIsRemoved = database.prepare(
    'SELECT 1 FROM history_removed WHERE job = (SELECT number FROM job WHERE id = ?)',
  );
  const selectRemovals = database.prepare(
    'SELECT count(*) AS removals, max(removed_at) AS latest FROM history_removed',
  );

  /** Waits until `work` has ended or failed, or the time is over. */
  async function waitFor(work: Promise<unknown> | undefined, ms: number): Promise<void> {
    const done = new AbortController();
    const settled = Promise.allSettled([work]).finally(() => done.abort());
    await Promise.race([settled, clock.sleep(ms, done.signal).catch(() => undefined)]);
  }

  function setProblem(next: Problem | null): void {
    const isNew = next?.code !== problem?.code;
    problem = next;
    if (isNew) listeners.emit();
  }

  function report(error: unknown): void {
    if (stopping.signal.aborted) return;
    if (error instanceof AppError) setProblem(error.problem);
    else onDefect(error);
  }

  /** Copies a result, if it is there and fits. */
  async function copy(job: Job, signal: AbortSignal): Promise<'added' | 'known' | 'none'> {
    const file = resultOf(job);
    const content = copyContentOf(job);
    if (!file || !content || content.sizeBytes > maxBytes()) return 'none';
    const status = await fileQueries.quickStatus(file);
    if (status !== 'there' && status !== 'doubtful') return 'none';
    const outcome = await copyStore.add(file.path, content, job.endedAt ?? clock.now(), signal);
    if (outcome === 'changed') return 'none';
    if (outcome === 'added') await copyStore.keepWithin(maxBytes());
    return outcome;
  }

  async function tryToCopy(id: string): Promise<'added' | 'known' | 'none' | 'failed'> {
    const job = store.get(id);
    const { signal } = round;
    // A removed entry would leave its copy behind. If that is undone, the next start copies it.
    if (!job || !settings().isOn || selectIsRemoved.get(id)) return 'none';
    try {
      const copied = copy(job, AbortSignal.any([stopping.signal, signal]));
      copying = copied;
      const outcome = await copied;
      if (outcome !== 'none') setProblem(null);
      if (outcome === 'added') listeners.emit();
      return outcome;
    } catch (error) {
      if (!signal.aborted) report(error);
      return 'failed';
    }
  }

  /** Results since copies are kept, newest first. */
  async function* pastResults(oldestCopy: number) {
    const { since } = settings();
    const now = clock.now();
    // If the clock was ahead when copies were turned on, only the copies tell how long they have been kept.
    const from = keyAtTime(since <= now ? since : Math.min(oldestCopy, now));
    for (let below = endOfKeys; ;) {
      const rows = selectPast.all({ from, below });
      for (const { number, id, sha256, bytes, ended } of rows) {
        below = Number(number);
        yield { id: String(id), sha256: String(sha256), sizeBytes: Number(bytes), endedAt: Number(ended) };
      }
      if (rows.length < entriesPerBatch) return;
      await nextTurn();
    }
  }

  async function measure() {
    const kept = await copyStore.list();
    return {
      kept,
      bytes: kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      oldest: Math.min(...kept.map(({ usedAt }) => usedAt)),
    };
  }

  /** Copies what an earlier process left out. Without room for all, the newest have copies. */
  async function copyPast(): Promise<void> {
    const { signal } = round;
    const { kept, ...measured } = await measure();
    let { bytes, oldest } = measured;
    const contents = new Set(kept.map(({ sha256 }) => sha256));
    for await (const { id, sha256, sizeBytes, endedAt } of pastResults(oldest)) {
      if (isClosing || signal.aborted || !settings().isOn) return;
      if (contents.has(sha256) || sizeBytes > maxBytes()) continue;
      if (bytes + sizeBytes > maxBytes() && endedAt <= oldest) return;
      const outcome = await tryToCopy(id);
      if (outcome === 'failed') return;
      if (outcome === 'added') {
        contents.add(sha256);
        bytes += sizeBytes;
        oldest = Math.min(oldest, endedAt);
        // The oldest made room for it.
        if (bytes > maxBytes()) ({ bytes, oldest } = await measure());
      }
      await copyWaiting();
    }
  }

  function settle(id: string): void {
    unsettled.get(id)?.resolve();
    unsettled.delete(id);
  }

  async function copyWaiting(): Promise<void> {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        if (stopping.signal.aborted) return;
        await tryToCopy(id);
      } finally {
        settle(id);
      }
    }
  }

  const isDue = (): boolean => waiting.length > 0 || isTrimDue || isPastDue;

  async function work(): Promise<void> {
    while (!stopping.signal.aborted && isDue()) {
      await copyWaiting();
      if (isTrimDue) {
        isTrimDue = false;
        await copyStore.trim(maxBytes());
        listeners.emit();
      } else if (isPastDue) {
        isPastDue = false;
        await copyPast();
      }
    }
  }

  function wake(): void {
    if (stopping.signal.aborted) return;
    running ??= work()
      .catch(report)
      .finally(() => {
        running = undefined;
        if (isDue()) wake();
        else listeners.emit();
      });
  }

  const unsubscribe = store.onEvent((event) => {
    if (event.kind === 'removed') event.ids.forEach((id) => unfinished.delete(id));
    if (event.kind !== 'upserted') return;
    for (const job of event.jobs) {
      const { id, state, endedAt } = job;
      if (!hasEnded(job)) {
        unfinished.add(id);
        continue;
      }
      const isNew = unfinished.delete(id) || (endedAt !== null && endedAt >= openedAt);
      // A later event of the same job, such as a new path, copies nothing again.
      if (!settings().isOn || state !== 'done' || !isNew || seen.has(id) || !store.owns(id)) continue;
      seen.add(id);
      waiting.push(id);
      unsettled.set(id, Promise.withResolvers());
      wake();
    }
  });

  return {
    problem: () => problem,
    async status() {
      const { kept, bytes } = await measure();
      return { folder: copyStore.folder, copies: kept.length, bytes, waiting: waiting.length, problem };
    },
    update() {
      isTrimDue = true;
      isPastDue = settings().isOn;
      setProblem(null);
      wake();
    },
    whenSettled: (id) => unsettled.get(id)?.promise ?? Promise.resolve(),
    async removeAll() {
      waiting.forEach(settle);
      waiting = [];
      round.abort(new AppError('job/cancelled', 'All copies are removed'));
      round = new AbortController();
      // What it leaves behind is removed too.
      await waitFor(copying, cleanUpMs);
      await copyStore.remove((await copyStore.list()).map(({ name }) => name));
      setProblem(null);
      listeners.emit();
    },
    async removeForgotten(signal) {
      const { removals = 0, latest = null } = selectRemovals.get() ?? {};
      const note = JSON.stringify({ removals, latest });
      if (removals === 0 || (await copyStore.readNote()) === note) return;
      const forgotten: string[] = [];
      for (const [k, { name, sha256 }] of (await copyStore.list()).entries()) {
        if (k % entriesPerBatch === 0) await nextTurn();
        if (signal.aborted) return;
        const { jobs = 0, used = 0 } = selectUse.get(sha256) ?? {};
        if (Number(jobs) > 0 && Number(used) === 0) forgotten.push(name);
      }
      await copyStore.remove(forgotten);
      // Without it, the next start looks again.
      await copyStore.writeNote(note).catch(() => undefined);
      if (forgotten.length > 0) listeners.emit();
    },
    async findSound(job) {
      const file = resultOf(job);
      if (!file) return undefined;
      const { path } = file;
      const isThere = await fileQueries.query(path, () => fileStampAt(path)).catch(() => null);
      const content = copyContentOf(job);
      return isThere || !content ? path : ((await copyStore.find(content)) ?? path);
    },
    onChanged: listeners.add,
    start() {
      copyStore.sweep().catch(report);
      isPastDue = settings().isOn;
      wake();
    },
    async stop() {
      unsubscribe();
      isClosing = true;
      isTrimDue = false;
      isPastDue = false;
      await waitFor(running, patienceMs);
      stopping.abort(new AppError('job/cancelled', 'Timbre is closed'));
      await waitFor(running, cleanUpMs);
      [...unsettled.keys()].forEach(settle);
    },
  };
}
