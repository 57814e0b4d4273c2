import type { DatabaseSync } from 'node:sqlite';
import { lstat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../shared/app-error.ts';
import type { HistoryRemoval } from '../../../shared/wire/history.ts';
import type { Clock } from '../clock.ts';
import { transaction } from '../database/transaction.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { nameKey } from '../outputs/name-key.ts';
import { snapshotOf } from '../voice-service/source-snapshot.ts';
import type { CarefulLooks } from './careful-looks.ts';
import { resultOf, type EntryFile } from './entry-files.ts';
import { firstLook } from './file-standing.ts';
import { bringBack, hideFile, isResult } from './hidden-file.ts';
import { linkAgain } from './link-again.ts';
import { createRemovedFiles, type RemovedFile } from './removed-files.ts';

/** Which entries history shows. */
export interface Shown {
  hide(jobIds: readonly string[]): void;
  show(jobIds: readonly string[]): void;
  isShown(jobId: string): boolean;
}

/**
 * Takes entries out of history, alone or with their results, until that is undone or can no longer be. A result is hidden beside its
 * place, and goes to the system's trash when Timbre closes, or at the next start where it could not; one that does not get there is
 * back under its name, and its entry is shown again. Sources are never touched.
 */
export interface Removals {
  /**
   * Files are taken along only where they are still what Timbre wrote, and where no entry that stays has them. Rejects with the signal's
   * reason; what was removed until then stays removed.
   */
  remove(ids: readonly string[], withFiles: boolean, signal: AbortSignal): Promise<HistoryRemoval>;
  /**
   * Shows the entries again and brings back their files: the very same, under their names, or under the next free ones. Throws
   * `history/undo-over` for what is not known any more, and `output/…` where a file could not be brought back yet: it will be, at the
   * next start at the latest.
   */
  undo(undo: string): Promise<void>;
  /** Ends what a process that was killed, or a disk that was not there, has left; what was removed here is none of that. */
  start(): Promise<void>;
  /** Brings to the trash what was removed here, as far as there is time; the rest is for the next start. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly store: Pick<JobStore, 'get'>;
  readonly shown: Shown;
  readonly looks: CarefulLooks;
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
/** Somebody waits for Timbre to close. */
const closingMs = 3000;

export function createRemovals(dependencies: Dependencies): Removals {
  const { database, store, shown, looks, clock, platform, randomId, trash, onLinked, onDefect } = dependencies;
  const files = createRemovedFiles(database);
  const selectSharing = database.prepare(
    "SELECT id FROM job WHERE output_key = ? AND output_path = ? AND output_sha256 = ? AND state = 'done'",
  );
  /** What can be undone: the entries of each removal. */
  const removals = new Map<string, string[]>();
  /** Files are moved by one deed at a time: an undo waits for its removal. */
  let line: Promise<unknown> = Promise.resolve();
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const done = line.then(work);
    line = done.catch(() => undefined);
    return done;
  };

  const sharing = ({ path, sha256 }: EntryFile): readonly string[] =>
    selectSharing.all(nameKey(path), path, sha256).map(({ id }) => String(id));

  /** The files of these entries that may be touched, each once, and how many may not. */
  async function ownFiles(jobs: readonly Job[], leaving: ReadonlySet<string>, removal: string, signal: AbortSignal) {
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
      const standing = await firstLook(file, looks, platform);
      if (standing === 'missing') continue;
      const entries = sharing(file);
      const stays = entries.some((id) => !leaving.has(id) && shown.isShown(id));
      const place = { ...output, finished };
      if (stays || standing === 'away' || !(await isResult(place).catch(() => false))) kept += 1;
      else
        found.push({
          ...place,
          id: randomId(),
          removal,
          wish: 'gone',
          jobs: entries.filter(shown.isShown),
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
    }: { undo: string; leaving: ReadonlySet<string>; withFiles: boolean; signal: AbortSignal },
  ) {
    const jobs = ids.flatMap((id) => store.get(id) ?? []).filter((job) => hasEnded(job) && shown.isShown(job.id));
    const { found, kept } = withFiles ? await ownFiles(jobs, leaving, undo, signal) : { found: [], kept: 0 };
    const hidden = [...new Set([...jobs.map(({ id }) => id), ...found.flatMap((file) => file.jobs)])];
    transaction(database, () => {
      found.forEach(files.add);
      shown.hide(hidden);
    });
    removals.get(undo)?.push(...hidden);
    let moved = 0;
    for (const file of found) {
      if (await hideFile(file)) moved += 1;
      else files.drop(file.id);
    }
    return { entries: hidden.length, files: moved, keptFiles: kept + found.length - moved };
  }

  /** Gives a file its name back; its entries follow it to another one. Null where nothing of it is left. */
  async function restore(file: RemovedFile): Promise<string | null> {
    const path = await bringBack(file, (taking) => files.take(file.id, taking));
    if (path === null || path === file.path) return path;
    const { sha256, sizeBytes } = file.finished;
    const old = { path: file.path, name: '', sha256, sizeBytes, identity: null, modifiedNs: null, finishedAt: null };
    const stats = await lstat(path, { bigint: true });
    onLinked(linkAgain(database, 'result', old, { path, snapshot: snapshotOf(stats) }));
    return path;
  }

  function forget(file: RemovedFile, isShown: boolean): void {
    transaction(database, () => {
      files.drop(file.id);
      if (isShown) shown.show(file.jobs);
    });
  }

  async function giveBack(file: RemovedFile): Promise<void> {
    await restore(file);
    forget(file, true);
  }

  /** To the trash by its own name, so that it can be put back from there. */
  async function discard(file: RemovedFile): Promise<void> {
    const path = await restore(file);
    const isGone =
      path === null ||
      (await trash(path).then(
        () => true,
        (error: unknown) => {
          onDefect(error);
          return false;
        },
      ));
    forget(file, !isGone);
  }

  /** A file whose disk is not there waits for it. */
  async function isWaiting({ path, finished }: RemovedFile): Promise<boolean> {
    const file = { path, name: '', ...finished, modifiedNs: null, finishedAt: null };
    return (await firstLook(file, looks, platform)) === 'away';
  }

  async function settle(file: RemovedFile): Promise<void> {
    if (await isWaiting(file)) return;
    await (file.wish === 'gone' ? discard(file) : giveBack(file));
  }

  /** Each by itself: one that fails holds up no other, and is tried again at the next start. */
  async function settleAll(untilMs: number, isMeant: (file: RemovedFile) => boolean): Promise<void> {
    for (const file of files.all().filter(isMeant)) {
      if (clock.now() >= untilMs) return;
      try {
        await settle(file);
      } catch (error) {
        onDefect(error);
      }
    }
  }

  return {
    remove: (ids, withFiles, signal) =>
      inLine(async () => {
        const undo = randomId();
        const leaving = new Set(ids);
        const sum = { undo, entries: 0, files: 0, keptFiles: 0 };
        removals.set(undo, []);
        for (let start = 0; start < ids.length; start += atOnce) {
          signal.throwIfAborted();
          const some = await removeSome(ids.slice(start, start + atOnce), { undo, leaving, withFiles, signal });
          sum.entries += some.entries;
          sum.files += some.files;
          sum.keptFiles += some.keptFiles;
          await nextTurn();
        }
        return sum;
      }),
    undo: (undo) =>
      inLine(async () => {
        const entries = removals.get(undo);
        if (!entries) throw new AppError('history/undo-over', `no removal ${undo}`);
        // First of all, so that no start takes for rubbish what somebody wants back.
        files.wish(undo, 'back');
        for (let start = 0; start < entries.length; start += atOnce) {
          shown.show(entries.slice(start, start + atOnce));
          await nextTurn();
        }
        let problem: unknown;
        for (const file of files.ofRemoval(undo)) {
          try {
            await giveBack(file);
          } catch (error) {
            problem ??= error;
          }
        }
        if (problem instanceof Error) throw problem;
        removals.delete(undo);
      }),
    start: () => inLine(() => settleAll(Infinity, ({ removal }) => !removals.has(removal))),
    // A command ends while a window may still undo what it has removed.
    stop: () =>
      inLine(() => {
        const own = new Set(removals.keys());
        removals.clear();
        return settleAll(clock.now() + closingMs, ({ removal }) => own.has(removal));
      }),
  };
}
