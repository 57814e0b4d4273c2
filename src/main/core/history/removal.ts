import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import type { HistoryRemoval } from '../../../shared/schemas/history.ts';
import { type Clock, createWakeTimer, isWithin } from '../clock.ts';
import type { BatchSize } from '../database/batch-size.ts';
import { nextBatch } from '../database/checkpoints.ts';
import { transaction, relaxedCommit } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { resultOf } from './file-status.ts';
import {
  createFileReferences,
  createRemovedFiles,
  createPendingRestores,
  type RemovedFile,
  type UsedFile,
} from './removal-store.ts';
import { stash, isResult } from '../files/stash.ts';
import { createRemovalFinisher, type RemovalDependencies } from './finish-removal.ts';
import { createSerializer } from '../../../shared/serializer.ts';
import type { OnProgress } from '../events.ts';
import { createEntryBatchSize, createWordIndex } from './word-index.ts';

/** Controls which entries history shows. */
export interface VisibleEntries {
  hide(jobIds: readonly string[]): void;
  show(jobIds: readonly string[]): void;
  isVisible(jobId: string): boolean;
}

/**
 * Removes entries from history, with or without their results, until the removal is undone or can
 * no longer be undone. A removed result is stashed in its folder and moves to the trash after an
 * hour, when Timbre quits, or at a later start if that fails. If the trash refuses it, the file gets its name back
 * and its entry is visible again. Sources are never touched as long as their entry remains.
 */
export interface Removals {
  /**
   * Removes the entries; `withFiles` also their results, or only those at these paths. A file goes only
   * if Timbre wrote it unchanged, and no remaining entry (as result or source) and no unfinished job
   * refers to it. After an abort, returns what was removed until then, which can be undone. Rejects
   * with `data/not-writable` if nothing can be removed; later batches wait for the database.
   */
  remove(
    ids: readonly string[],
    withFiles: boolean | ReadonlySet<string>,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<HistoryRemoval>;
  /**
   * Shows the entries again and restores their files under their old names, or the next free ones.
   * Throws `history/undo-over` for an unknown removal, or one whose files are in the trash by now, `data/not-writable` if it
   * cannot start, and `history/files-away` or `output/…` if a file could not be restored yet: undo can be repeated, and each
   * start tries again. The next start finishes an undo that `stop` interrupts.
   */
  undo(undo: string, onProgress?: OnProgress): Promise<void>;
  /** Restores the files of entries that were visible again by something other than an undo. */
  restoreVisible(): Promise<void>;
  /** Finishes removals that a killed process or a missing disk left behind, except those of this process. */
  start(): Promise<void>;
  /** Moves this process's removals to the trash within the time limit; the next start handles the rest. */
  stop(): Promise<void>;
}

interface Dependencies extends RemovalDependencies {
  readonly store: Pick<JobStore, 'get'>;
  readonly writes: Pick<WriteGate, 'write' | 'commit' | 'defer'>;
  readonly visible: VisibleEntries;
  readonly clock: Clock;
  readonly randomId: () => string;
}

/** Files read in a few milliseconds, so that the window stays responsive. */
const filesPerBatch = 50;
/** Ids stored or looked up in the same time. */
const idsPerBatch = 1000;
/** The user is waiting for Timbre to quit. */
const quitLimitMs = 3000;
/** Until they are in the trash, files take up space that the user wanted to have. Timbre may run for weeks. */
const undoableMs = 3_600_000;

interface Undoable {
  readonly entries: string[];
  /** When files were first stashed, in milliseconds since 1970; null if none were. */
  stashedAt: number | null;
}

export function createRemovals(dependencies: Dependencies): Removals {
  const { database, store, writes, visible, fileQueries, clock, randomId, onDefect } = dependencies;
  const files = createRemovedFiles(database);
  const pendingRestores = createPendingRestores(database);
  const words = createWordIndex(database);
  const references = createFileReferences(database, (id) => visible.isVisible(id) || pendingRestores.has(id));
  const stopping = new AbortController();
  const { signal: closed } = stopping;
  const isClosed = (): boolean => closed.aborted;
  /** For work that the user or a start has begun: waits until the database is writable. */
  const commit = <T>(work: () => T): Promise<T> => writes.commit(work, closed);
  const finisher = createRemovalFinisher({
    ...dependencies,
    commit,
    files,
    references,
    show: visible.show,
  });
  const removals = new Map<string, Undoable>();
  const timer = createWakeTimer(clock, () => void finishOld().catch(onDefect));
  /** Removals and undos run one at a time. */
  const serialized = createSerializer();

  /**
   * The entries of a file that is in its place, without those whose own file of the same name and
   * content is stashed.
   */
  function presentOwners(file: UsedFile): readonly string[] {
    const entries = references.resultOwners(file);
    if (entries.every(visible.isVisible)) return entries;
    const others = new Set(files.atPath(file.path).flatMap(({ jobs }) => jobs));
    return entries.filter((id) => !others.has(id));
  }

  /** The entries' files that are still unchanged, each once, and the number of those that are not. */
  async function removableFiles(
    jobs: readonly Job[],
    withFiles: boolean | ReadonlySet<string>,
    removal: string,
    signal: AbortSignal,
  ) {
    const found: RemovedFile[] = [];
    const seen = new Set<string>();
    let kept = 0;
    for (const job of jobs) {
      const file = resultOf(job);
      const { output, finished } = job;
      const key = `${output?.path} ${finished?.sha256}`;
      const isMeant = typeof withFiles === 'boolean' ? withFiles : output && withFiles.has(output.path);
      if (!isMeant || !file || !output || !finished || seen.has(key)) continue;
      seen.add(key);
      signal.throwIfAborted();
      const status = await fileQueries.quickStatus(file);
      if (status === 'missing') continue;
      const result = { ...output, finished };
      if (status === 'away' || !(await isResult(result).catch(() => false))) kept += 1;
      else
        found.push({
          ...result,
          id: randomId(),
          removal,
          intent: 'trash',
          jobs: presentOwners({ path: file.path, sha256: finished.sha256 }),
          reserved: null,
        });
    }
    return { found, kept };
  }

  async function removeBatch(
    ids: readonly string[],
    {
      undo,
      excluded,
      withFiles,
      signal,
      size,
      isFirst,
      isLast,
    }: {
      undo: string;
      excluded: ReadonlySet<string>;
      withFiles: boolean | ReadonlySet<string>;
      signal: AbortSignal;
      size: BatchSize;
      isFirst: boolean;
      isLast: boolean;
    },
  ) {
    const jobs = ids.flatMap((id) => store.get(id) ?? []).filter((job) => hasEnded(job) && visible.isVisible(job.id));
    const { found, kept } = await removableFiles(jobs, withFiles, undo, signal);
    const hideSome = () => {
      const going = found.filter(
        ({ path, finished: { sha256 } }) => !references.isReferenced({ path, sha256 }, excluded),
      );
      const owners = going.flatMap((file) => file.jobs).filter(visible.isVisible);
      const hidden = [...new Set([...jobs.map(({ id }) => id), ...owners])];
      going.forEach(files.add);
      words.withoutMerging(() => visible.hide(hidden));
      return { going, hidden };
    };
    // The record must be on disk before its file is stashed; entries without files are synced with
    // the last batch.
    const hideAll = () => size.measure(ids.length, () => transaction(database, hideSome));
    const write = found.length > 0 || isLast ? hideAll : () => relaxedCommit(database, hideAll);
    const { going, hidden } = isFirst ? writes.write(write) : await writes.commit(write, signal);
    const undoable = removals.get(undo);
    undoable?.entries.push(...hidden);
    let moved = 0;
    for (const file of going) {
      if (await stash(file)) moved += 1;
      else writes.defer(() => files.remove(file.id));
    }
    if (moved > 0 && undoable) undoable.stashedAt ??= clock.now();
    return { entries: hidden.length, files: moved, keptFiles: kept + found.length - moved };
  }

  async function mergeAll(): Promise<void> {
    while (!isClosed() && (await commit(words.mergeSome))) await nextBatch(database);
  }

  /** Shows entries that are being restored. After `stop`, the next start continues. */
  async function resumeRestores(onShown?: (count: number) => void): Promise<void> {
    let count = 0;
    const size = createEntryBatchSize();
    for (
      let ids = pendingRestores.next(size.next());
      ids.length > 0 && !isClosed();
      ids = pendingRestores.next(size.next())
    ) {
      const showSome = () => {
        words.withoutMerging(() => visible.show(ids));
        pendingRestores.remove(ids);
      };
      const show = () => size.measure(ids.length, () => transaction(database, showSome));
      // After a power cut, the pending restore is still stored.
      await commit(() => relaxedCommit(database, show));
      onShown?.((count += ids.length));
      await nextBatch(database);
      await mergeAll();
    }
  }

  /** True if an entry that is visible again still has this file, not a copy from an archive. */
  const isRestored = ({ jobs, path }: RemovedFile): boolean =>
    jobs.some((id) => visible.isVisible(id) && store.get(id)?.output?.path === path);

  /** All stored files in batches: there may be 100,000. */
  async function* storedFiles(): AsyncGenerator<RemovedFile> {
    for (
      let some = files.after('', filesPerBatch);
      some.length > 0;
      some = files.after(some.at(-1)?.id ?? '', filesPerBatch)
    ) {
      yield* some;
      await nextTurn();
    }
  }

  /** Files are independent: a failure is reported and retried at the next start. */
  async function finishAll(hasTime: () => boolean, isMeant: (file: RemovedFile) => boolean): Promise<void> {
    for await (const file of storedFiles()) {
      if (!hasTime()) return;
      if (!isMeant(file)) continue;
      try {
        await finisher.finish(file);
      } catch (error) {
        onDefect(error);
      }
    }
  }

  function setTimer(): void {
    const times = [...removals.values()].flatMap(({ stashedAt }) => stashedAt ?? []);
    timer.set(times.length > 0 && !isClosed() ? Math.min(...times) + undoableMs : null);
  }

  const finishOld = () =>
    serialized(async () => {
      const old = new Set<string>();
      for (const [undo, { stashedAt }] of removals)
        if (stashedAt !== null && !isWithin(undoableMs, stashedAt, clock.now())) old.add(undo);
      for (const undo of old) removals.delete(undo);
      setTimer();
      await finishAll(
        () => !isClosed(),
        ({ removal }) => old.has(removal),
      );
    });

  return {
    remove: (ids, withFiles, signal, onProgress) =>
      serialized(async () => {
        const undo = randomId();
        const excluded = new Set<string>();
        for (const [k, id] of ids.entries()) {
          excluded.add(id);
          if (k % idsPerBatch === 0) await nextTurn();
        }
        const sum = { undo, entries: 0, files: 0, keptFiles: 0 };
        removals.set(undo, { entries: [], stashedAt: null });
        const size = createEntryBatchSize();
        try {
          for (let start = 0; start < ids.length && !signal.aborted;) {
            const end = Math.min(start + size.next(), ids.length);
            const some = await removeBatch(ids.slice(start, end), {
              ...{ undo, excluded, withFiles, signal, size },
              isFirst: start === 0,
              isLast: end === ids.length,
            }).catch((error: unknown) => {
              if (signal.aborted) return { entries: 0, files: 0, keptFiles: 0 };
              throw error;
            });
            sum.entries += some.entries;
            sum.files += some.files;
            sum.keptFiles += some.keptFiles;
            start = end;
            onProgress?.({ share: end / ids.length, count: end });
            await nextBatch(database);
            await mergeAll();
          }
        } finally {
          setTimer();
        }
        return sum;
      }),
    undo: (undo, onProgress) =>
      serialized(async () => {
        const entries = removals.get(undo)?.entries;
        if (!entries) throw new AppError('history/undo-over', `no removal ${undo}`);
        // Stored before the files are touched, so that no start treats a file of a restored entry
        // as removed.
        for (let start = 0; start < entries.length; start += idsPerBatch) {
          const put = () =>
            relaxedCommit(database, () => pendingRestores.add(entries.slice(start, start + idsPerBatch)));
          if (start === 0) writes.write(put);
          else await commit(put);
          // Once stopped, all ids are stored without yielding, for the next start.
          if (!isClosed()) await nextBatch(database);
        }
        await commit(() => files.setIntent(undo, 'restore'));
        await resumeRestores((count) => onProgress?.({ share: Math.min(1, count / entries.length), count }));
        let problem: unknown;
        for await (const file of storedFiles()) {
          if (isClosed()) return;
          if (file.removal !== undo && !isRestored(file)) continue;
          try {
            if (await finisher.restore(file)) continue;
            problem ??= new AppError('history/files-away', `${file.path}: its folder is not there`);
          } catch (error) {
            problem ??= error;
          }
        }
        if (problem instanceof Error) throw problem;
        removals.delete(undo);
        setTimer();
      }),
    restoreVisible: () =>
      serialized(async () => {
        if (isClosed()) return;
        for await (const file of storedFiles()) {
          if (isClosed()) return;
          if (isRestored(file)) await finisher.restore(file).catch(onDefect);
          if (isClosed()) return;
        }
      }),
    start: () =>
      serialized(async () => {
        await resumeRestores();
        await finishAll(
          () => !isClosed(),
          ({ removal }) => !removals.has(removal),
        );
      }),
    // Only own removals: a command may quit while a window can still undo its own.
    stop() {
      stopping.abort(new AppError('job/cancelled', 'Timbre is closed'));
      timer.set(null);
      return serialized(() => {
        const own = new Set(removals.keys());
        removals.clear();
        const untilMs = clock.now() + quitLimitMs;
        return finishAll(
          () => clock.now() < untilMs,
          ({ removal }) => own.has(removal),
        );
      });
    },
  };
}
