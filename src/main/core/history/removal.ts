import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import type { HistoryRemoval } from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import { transaction, relaxedCommit } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { type DiskQueries, quickStatus, resultOf } from './file-status.ts';
import {
  createFileReferences,
  createRemovedFiles,
  createPendingRestores,
  type RemovedFile,
  type UsedFile,
} from './removal-store.ts';
import { stash, isResult } from '../files/stash.ts';
import { createRemovedFileEndings } from './removal-files.ts';
import type { TellProgress } from '../events.ts';
import { createWordIndex } from './word-index.ts';

/** Which entries history shows. */
export interface VisibleEntries {
  hide(jobIds: readonly string[]): void;
  show(jobIds: readonly string[]): void;
  isShown(jobId: string): boolean;
}

/**
 * Takes entries out of history, alone or with their results, until that is undone or can no longer be. A result is hidden beside its
 * place, and goes to the system's trash when Timbre closes, or at a later start where it could not; one that does not get there is
 * back under its name, and its entry is shown again. What an entry or a job was made from is never touched, as long as it stays.
 */
export interface Removals {
  /**
   * Files are taken along only where they are still what Timbre wrote, and where neither an entry that stays has them, as its result or
   * its original, nor a job that has not ended. The signal ends it: what was removed until then is answered, and can be undone. Rejects
   * with `data/not-writable` where nothing can be removed; once it has begun it waits for the database.
   */
  remove(
    ids: readonly string[],
    withFiles: boolean,
    signal: AbortSignal,
    onProgress?: TellProgress,
  ): Promise<HistoryRemoval>;
  /**
   * Shows the entries again and brings back their files: the very same, under their names, or under the next free ones. Throws
   * `history/undo-over` for what is not known any more, and `history/files-away` or `output/…` where a file could not be brought back
   * yet: it may be undone once more, and each start tries by itself. `data/not-writable` where it cannot be begun. An undo that `stop` ends is finished by the next start.
   */
  undo(undo: string, onProgress?: TellProgress): Promise<void>;
  /** Brings back the files of entries that something else than an undo has shown again. */
  bringBackShown(): Promise<void>;
  /** Ends what a process that was killed, or a disk that was not there, has left; what was removed here is none of that. */
  start(): Promise<void>;
  /** Brings to the trash what was removed here, as far as there is time; the rest is for the next start. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly store: Pick<JobStore, 'get'>;
  readonly writes: Pick<WriteGate, 'write' | 'commit' | 'defer'>;
  readonly shown: VisibleEntries;
  readonly looks: DiskQueries;
  readonly clock: Pick<Clock, 'now'>;
  readonly platform: NodeJS.Platform;
  readonly randomId: () => string;
  /** Puts a file where the person can get it back. */
  trash(path: string): Promise<void>;
  /** Entries whose path is another one now. */
  onLinked(jobIds: readonly string[]): void;
  onDefect(error: unknown): void;
}

/** As many entries as are hidden or shown in a few milliseconds: a window must not wait. */
const atOnce = 50;
/** Ids that are put aside or looked up in as long. */
const idsAtOnce = 1000;
/** Somebody waits for Timbre to close. */
const closingMs = 3000;

export function createRemovals(dependencies: Dependencies): Removals {
  const { database, store, writes, shown, looks, clock, platform, randomId, onDefect } = dependencies;
  const files = createRemovedFiles(database);
  const returning = createPendingRestores(database);
  const words = createWordIndex(database);
  const users = createFileReferences(database, (id) => shown.isShown(id) || returning.has(id));
  const stopping = new AbortController();
  const { signal: closed } = stopping;
  const isClosed = (): boolean => closed.aborted;
  /** Of what a person has begun, or a start goes on with. */
  const commit = <T>(work: () => T): Promise<T> => writes.commit(work, closed);
  const ends = createRemovedFileEndings({ ...dependencies, commit, files, users, show: shown.show });
  /** What can be undone: the entries of each removal. */
  const removals = new Map<string, string[]>();
  /** Files are moved by one deed at a time: an undo waits for its removal. */
  let line: Promise<unknown> = Promise.resolve();
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const done = line.then(work);
    line = done.catch(() => undefined);
    return done;
  };

  /** The entries of a file that is at its place: not those whose own, of the same name and bytes, is hidden. */
  function ownersOf(file: UsedFile): readonly string[] {
    const entries = users.withResult(file);
    if (entries.every(shown.isShown)) return entries;
    const others = new Set(files.at(file.path).flatMap(({ jobs }) => jobs));
    return entries.filter((id) => !others.has(id));
  }

  /** The files of these entries that are Timbre's still, each once, and how many are not. */
  async function ownFiles(jobs: readonly Job[], removal: string, signal: AbortSignal) {
    const found: RemovedFile[] = [];
    const seen = new Set<string>();
    let kept = 0;
    for (const job of jobs) {
      const file = resultOf(job);
      const { output, finished } = job;
      const key = `${output?.path} ${finished?.sha256}`;
      if (!file || !output || !finished || seen.has(key)) continue;
      seen.add(key);
      signal.throwIfAborted();
      const standing = await quickStatus(file, looks, platform);
      if (standing === 'missing') continue;
      const place = { ...output, finished };
      if (standing === 'away' || !(await isResult(place).catch(() => false))) kept += 1;
      else
        found.push({
          ...place,
          id: randomId(),
          removal,
          wish: 'gone',
          jobs: ownersOf({ path: file.path, sha256: finished.sha256 }),
          taking: null,
        });
    }
    return { found, kept };
  }

  async function removeSome(
    ids: readonly string[],
    {
      undo,
      leaving,
      withFiles,
      signal,
      isFirst,
      isLast,
    }: {
      undo: string;
      leaving: ReadonlySet<string>;
      withFiles: boolean;
      signal: AbortSignal;
      isFirst: boolean;
      isLast: boolean;
    },
  ) {
    const jobs = ids.flatMap((id) => store.get(id) ?? []).filter((job) => hasEnded(job) && shown.isShown(job.id));
    const { found, kept } = withFiles ? await ownFiles(jobs, undo, signal) : { found: [], kept: 0 };
    const hideSome = () => {
      const going = found.filter(({ path, finished: { sha256 } }) => !users.isNeeded({ path, sha256 }, leaving));
      const owners = going.flatMap((file) => file.jobs).filter(shown.isShown);
      const hidden = [...new Set([...jobs.map(({ id }) => id), ...owners])];
      going.forEach(files.add);
      words.withoutMerging(() => shown.hide(hidden));
      return { going, hidden };
    };
    // A file that is hidden must be known to the disk before; entries alone are, by the last of them.
    const hideAll = () => transaction(database, hideSome);
    const write = found.length > 0 || isLast ? hideAll : () => relaxedCommit(database, hideAll);
    const { going, hidden } = isFirst ? writes.write(write) : await writes.commit(write, signal);
    removals.get(undo)?.push(...hidden);
    let moved = 0;
    for (const file of going) {
      if (await stash(file)) moved += 1;
      else writes.defer(() => files.drop(file.id));
    }
    return { entries: hidden.length, files: moved, keptFiles: kept + found.length - moved };
  }

  async function mergeRest(): Promise<void> {
    while (!isClosed() && (await commit(words.mergeSome))) await nextTurn();
  }

  /** Shows what somebody wants back, unless Timbre is closed: then a start goes on. */
  async function showReturning(onShown?: (count: number) => void): Promise<void> {
    let count = 0;
    for (let ids = returning.next(atOnce); ids.length > 0 && !isClosed(); ids = returning.next(atOnce)) {
      const showSome = () => {
        words.withoutMerging(() => shown.show(ids));
        returning.drop(ids);
      };
      // What a power cut takes back is still to be shown.
      await commit(() => relaxedCommit(database, () => transaction(database, showSome)));
      onShown?.((count += ids.length));
      await nextTurn();
      await commit(words.mergeSome);
      await nextTurn();
    }
    await mergeRest();
  }

  /** True of a file whose entry is shown again and has it still, not one that came out of an archive. */
  const isBack = ({ jobs, path }: RemovedFile): boolean =>
    jobs.some((id) => shown.isShown(id) && store.get(id)?.output?.path === path);

  /** All that are known, some at a time: there may be a hundred thousand. */
  async function* known(): AsyncGenerator<RemovedFile> {
    for (let some = files.after('', atOnce); some.length > 0; some = files.after(some.at(-1)?.id ?? '', atOnce)) {
      yield* some;
      await nextTurn();
    }
  }

  /** Each by itself: one that fails holds up no other, and is tried again at the next start. */
  async function settleAll(hasTime: () => boolean, isMeant: (file: RemovedFile) => boolean): Promise<void> {
    for await (const file of known()) {
      if (!hasTime()) return;
      if (!isMeant(file)) continue;
      try {
        await ends.settle(file);
      } catch (error) {
        onDefect(error);
      }
    }
  }

  return {
    remove: (ids, withFiles, signal, onProgress) =>
      inLine(async () => {
        const undo = randomId();
        const leaving = new Set<string>();
        for (const [k, id] of ids.entries()) {
          leaving.add(id);
          if (k % idsAtOnce === 0) await nextTurn();
        }
        const sum = { undo, entries: 0, files: 0, keptFiles: 0 };
        removals.set(undo, []);
        for (let start = 0; start < ids.length && !signal.aborted; start += atOnce) {
          const some = await removeSome(ids.slice(start, start + atOnce), {
            ...{ undo, leaving, withFiles, signal },
            isFirst: start === 0,
            isLast: start + atOnce >= ids.length,
          }).catch((error: unknown) => {
            if (signal.aborted) return { entries: 0, files: 0, keptFiles: 0 };
            throw error;
          });
          sum.entries += some.entries;
          sum.files += some.files;
          sum.keptFiles += some.keptFiles;
          const count = Math.min(start + atOnce, ids.length);
          onProgress?.({ share: count / ids.length, count });
          await nextTurn();
          await commit(words.mergeSome);
          await nextTurn();
        }
        await mergeRest();
        return sum;
      }),
    undo: (undo, onProgress) =>
      inLine(async () => {
        const entries = removals.get(undo);
        if (!entries) throw new AppError('history/undo-over', `no removal ${undo}`);
        // A file that an entry has which is to return is no rubbish for any start.
        for (let start = 0; start < entries.length; start += idsAtOnce) {
          const put = () => relaxedCommit(database, () => returning.add(entries.slice(start, start + idsAtOnce)));
          if (start === 0) writes.write(put);
          else await commit(put);
          // What Timbre is closed over must stand there for the next start.
          if (!isClosed()) await nextTurn();
        }
        await commit(() => files.wish(undo, 'back'));
        await showReturning((count) => onProgress?.({ share: Math.min(1, count / entries.length), count }));
        let problem: unknown;
        for await (const file of known()) {
          if (isClosed()) return;
          if (file.removal !== undo && !isBack(file)) continue;
          try {
            if (await ends.giveBack(file)) continue;
            problem ??= new AppError('history/files-away', `${file.path}: its folder is not there`);
          } catch (error) {
            problem ??= error;
          }
        }
        if (problem instanceof Error) throw problem;
        removals.delete(undo);
      }),
    bringBackShown: () =>
      inLine(async () => {
        if (isClosed()) return;
        for await (const file of known()) {
          if (isClosed()) return;
          if (isBack(file)) await ends.giveBack(file).catch(onDefect);
          if (isClosed()) return;
        }
      }),
    start: () =>
      inLine(async () => {
        await showReturning();
        await settleAll(
          () => !isClosed(),
          ({ removal }) => !removals.has(removal),
        );
      }),
    // A command ends while a window may still undo what it has removed.
    stop() {
      stopping.abort(new AppError('job/cancelled', 'Timbre is closed'));
      return inLine(() => {
        const own = new Set(removals.keys());
        removals.clear();
        const untilMs = clock.now() + closingMs;
        return settleAll(
          () => clock.now() < untilMs,
          ({ removal }) => own.has(removal),
        );
      });
    },
  };
}
