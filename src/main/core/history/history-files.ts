import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { dirname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type {
  DiskResults,
  RestoredResults,
  RepeatChanges,
  FileStatus,
  RepeatPreview,
  RepeatResult,
  HistoryExport,
  HistoryFound,
  HistoryImport,
  HistoryImportReport,
  FileStatusReport,
} from '../../../shared/schemas/history.ts';
import { type Clock, isWithin } from '../clock.ts';
import { isWriteBlocked } from '../database/write-gate.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import type { Job } from '../jobs/job.ts';
import type { Queue } from '../jobs/queue.ts';
import type { CopyStore } from '../files/copy-store.ts';
import { nameKey } from '../files/names.ts';
import type { TemporaryFiles } from '../files/temporary-files.ts';
import type { VoiceCatalogue } from '../voices/voice-catalogue.ts';
import { previewRepeat, repeatJobs, resumeOrRepeat } from './repeat-job.ts';
import {
  createFileStatuses,
  type FileQueries,
  type EntryFile,
  fileOf,
  resultOf,
  type WhichFile,
} from './file-status.ts';
import {
  findByContent,
  updatePath,
  maxNamesNearby,
  type NewLocation,
  placesNearby,
  type SearchPlace,
} from './relink.ts';
import type { EntryAnnotations } from './archive-format.ts';
import { copyContentOf, type Copies } from './copies.ts';
import { findLargestResults } from './largest-results.ts';
import { createRemovals, type Removals, type VisibleEntries } from './removal.ts';
import { hasRestorable, restoreResults, type RestoredResult } from './restore-results.ts';
import type { ImportedParts } from './import.ts';
import type { LongTask } from '../events.ts';

/** The part of history that the files depend on. */
export interface HistoryAccess extends VisibleEntries {
  annotations(jobId: string): EntryAnnotations;
  /** Reports entries whose rows are new or changed. */
  notifyChanged(jobIds: readonly string[]): void;
  /** Emits pending changes before a reply that depends on them. */
  flush(): void;
}

/**
 * All that history does with files: their status, finding moved ones, removal, repeat, export and
 * import. Touches nothing until `start`.
 */
export interface HistoryFiles extends Removals {
  /**
   * Takes back a removal, see `Removals`, or the last import: the entries that it added or brought back are
   * removed, with the files that it wrote.
   */
  undo: Removals['undo'];
  /** Status of the entries' files. Searches for missing ones nearby and updates their path. */
  fileStatus(ids: readonly string[], signal: AbortSignal): Promise<readonly FileStatusReport[]>;
  /** Searches for a file in `where`: a file, or a folder at any depth. Throws `job/not-found`. */
  find(id: string, which: WhichFile, where: string, watched: LongTask): Promise<HistoryFound>;
  /** See `previewRepeat`. */
  previewRepeat(ids: readonly string[], changes?: RepeatChanges): Promise<RepeatPreview>;
  /** See `repeatJobs`. */
  repeat(ids: readonly string[], changes?: RepeatChanges): Promise<RepeatResult>;
  /** See `resumeOrRepeat`. */
  resumeOrRepeat(id: string, changes: RepeatChanges, signal: AbortSignal): Promise<Job>;
  /** See `exportHistory`. */
  exportTo(
    target: string,
    ids: readonly string[],
    what: 'list' | 'sound',
    existing: 'replace' | 'keep',
    watched: LongTask,
  ): Promise<HistoryExport>;
  /** See `importHistory`. `onReport` is called with what it did, also before a rejection; only with it can `undo` take it back. */
  importFrom(
    path: string,
    folder: string,
    watched: LongTask,
    onReport?: (report: ImportReport) => void,
  ): Promise<HistoryImport>;
  /** Paths of the existing results, each once. */
  results(ids: readonly string[]): Promise<readonly string[]>;
  /** See `hasRestorable`. */
  hasRestorable(resolveIds: () => Promise<readonly string[]>, signal: AbortSignal): Promise<boolean>;
  /** See `restoreResults`. */
  restore(
    ids: readonly string[],
    watched: LongTask,
    onRestored?: (result: RestoredResult) => void,
  ): Promise<RestoredResults>;
  /** See `findLargestResults`. */
  largestResults(signal: AbortSignal): Promise<readonly DiskResults[]>;
}

export type ImportReport = Omit<HistoryImportReport, 'isStopped' | 'problem'>;

interface Dependencies {
  readonly database: DatabaseSync;
  readonly queue: Pick<Queue, 'store' | 'submitJobs' | 'writes'>;
  readonly connections: ConnectionRegistry;
  readonly voices: VoiceCatalogue;
  readonly history: HistoryAccess;
  readonly copyStore: CopyStore;
  readonly copies: Pick<Copies, 'removeForgotten'>;
  readonly fileQueries: FileQueries;
  readonly temporaryFiles: TemporaryFiles;
  readonly clock: Clock;
  trash(path: string): Promise<void>;
  onDefect(error: unknown): void;
}

/** An automatic search ends early and is not repeated whenever a row is shown. */
const nearbyMs = 1500;
const searchAgainAfterMs = 60_000;
/** The user is waiting for Timbre to quit. */
const forgetLimitMs = 1000;

export function createHistoryFiles(dependencies: Dependencies): HistoryFiles {
  const { database, queue, connections, history, copies, copyStore, fileQueries, clock } = dependencies;
  const { temporaryFiles } = dependencies;
  const { store, writes } = queue;
  const statuses = createFileStatuses({ fileQueries, clock });
  const onChanged = (ids: readonly string[]) => {
    store.emitChanged(ids);
    history.notifyChanged(ids);
  };
  const shared = {
    ...dependencies,
    store,
    writes,
    randomId: randomUUID,
    onChanged,
  };
  const removals = createRemovals({ ...shared, visible: history, onFilesChanged: onChanged });
  const selectTaken = database.prepare(
    'SELECT 1 FROM job WHERE (output_key = ? AND output_path = ?) OR source_path = ? LIMIT 1',
  );
  const isTaken = (path: string) => selectTaken.get(nameKey(path), path, path) !== undefined;
  /** Time of the last search that found nothing, by path. */
  const failedSearches = new Map<string, number>();
  /** Entries were removed, whose copies go once that cannot be undone. */
  let hasRemoved = false;
  /** What `undo` takes back of the last import. */
  let lastImport: { readonly undo: string; readonly ids: readonly string[]; readonly paths: readonly string[] } | null =
    null;
  const stopping = new AbortController();
  /** New folder of the files of a folder, learnt when one of them is found. */
  const moves = new Map<string, string>();

  function link(which: WhichFile, file: EntryFile, place: NewLocation): readonly string[] {
    const ids = writes.write(() => updatePath(database, which, file, place));
    moves.set(dirname(file.path), dirname(place.path));
    failedSearches.clear();
    onChanged(ids);
    return ids;
  }

  function linkIfWritable(which: WhichFile, file: EntryFile, place: NewLocation): boolean {
    try {
      link(which, file, place);
      return true;
    } catch (error) {
      if (isWriteBlocked(error)) return false;
      throw error;
    }
  }

  /** Missing files that were not searched for recently. */
  function dueForSearch(files: readonly CheckedFile[]): readonly CheckedFile[] {
    const now = clock.now();
    return files.filter(({ file, status }) => {
      const last = failedSearches.get(file.path);
      return status === 'missing' && (last === undefined || !isWithin(searchAgainAfterMs, last, now));
    });
  }

  async function findNearby(files: readonly CheckedFile[], signal: AbortSignal): Promise<readonly CheckedFile[]> {
    const missing = dueForSearch(files);
    if (missing.length === 0) return files;
    const places = new Map<string, SearchPlace>();
    for (const { file } of missing) {
      const moved = moves.get(dirname(file.path));
      const around = moved === undefined ? [] : [{ path: moved, depth: 0 }];
      for (const place of [...around, ...placesNearby(file.path)]) places.set(place.path, place);
    }
    const late = AbortSignal.timeout(nearbyMs);
    const search = { places: [...places.values()], maxNames: maxNamesNearby, isTaken };
    const wanted = missing.map(({ file }) => file);
    const nearby = await findByContent(wanted, { ...search, signal: AbortSignal.any([signal, late]) }).then(
      (result) => result.found,
      () => {
        signal.throwIfAborted();
        return new Map<EntryFile, NewLocation>();
      },
    );
    const found = new Map(nearby);
    for (const { which, file } of missing) {
      const place = found.get(file);
      if (!place) failedSearches.set(file.path, clock.now());
      // If the database is not writable, the next check finds it again.
      else if (!linkIfWritable(which, file, place)) found.delete(file);
    }
    // The page may play a found file at once, so it needs the new path first.
    if (found.size > 0) history.flush();
    return files.map((checked) => (found.has(checked.file) ? { ...checked, status: 'there' } : checked));
  }

  async function hasCopy(id: string, status: FileStatus | null): Promise<boolean> {
    const job = status === 'missing' || status === 'changed' ? store.get(id) : undefined;
    const content = job && copyContentOf(job);
    return !!content && (await copyStore.find(content).catch(() => undefined)) !== undefined;
  }

  return {
    ...removals,
    remove(...args) {
      hasRemoved = true;
      return removals.remove(...args);
    },
    async undo(undo, onProgress) {
      if (lastImport?.undo !== undo) return removals.undo(undo, onProgress);
      hasRemoved = true;
      await removals.remove(lastImport.ids, new Set(lastImport.paths), stopping.signal, onProgress);
      // Another import may have ended meanwhile.
      if (lastImport.undo === undo) lastImport = null;
    },
    async start() {
      await removals.start();
      await temporaryFiles.sweep();
      await copies.removeForgotten(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await removals.stop();
      if (hasRemoved) await copies.removeForgotten(AbortSignal.timeout(forgetLimitMs));
    },
    async fileStatus(ids, signal) {
      const files = ids.flatMap((id) => {
        const job = store.get(id);
        return (['source', 'result'] as const).flatMap((which) => {
          const file = job && fileOf(job, which);
          return file ? { id, which, file } : [];
        });
      });
      const stand = await statuses.of(
        files.map(({ file }) => file),
        signal,
      );
      const checked = files.map((file, k): CheckedFile => ({ ...file, status: stand[k] ?? 'away' }));
      const nearby = await findNearby(checked, signal);
      const standingOf = (id: string, which: WhichFile) =>
        nearby.find((one) => one.id === id && one.which === which)?.status ?? null;
      return Promise.all(
        ids.map(async (id) => {
          const result = standingOf(id, 'result');
          return { id, source: standingOf(id, 'source'), result, hasCopy: await hasCopy(id, result) };
        }),
      );
    },
    async find(id, which, where, watched) {
      const job = store.get(id);
      const file = job && fileOf(job, which);
      if (!file) throw new AppError('job/not-found', `entry ${id} has no ${which}`);
      const places = [{ path: where, depth: Infinity }];
      const { found, names } = await findByContent([file], {
        ...watched,
        places,
        maxNames: Infinity,
        isTaken: () => false,
      });
      const place = found.get(file);
      if (!place) return { kind: 'not-found', files: names };
      const entries = link(which, file, place).length;
      history.flush();
      return { kind: 'found', entries };
    },
    previewRepeat: (ids, changes) => previewRepeat({ ...shared, ...queue }, ids, changes),
    repeat: (ids, changes) => repeatJobs({ ...shared, ...queue }, ids, changes),
    resumeOrRepeat: (id, changes, signal) => resumeOrRepeat({ ...shared, ...queue }, id, changes, signal),
    // Loaded on first use: the zip libraries must not delay the first paint.
    async exportTo(target, ids, what, existing, watched) {
      const { exportHistory } = await import('./export.ts');
      return exportHistory(
        { ...shared, annotations: history.annotations },
        { ...watched, target, ids, what, existing },
      );
    },
    async importFrom(path, folder, watched, onReport) {
      const { importHistory } = await import('./import.ts');
      const connectionId = (name: string) => connections.list().find((one) => one.name === name)?.id;
      const added: string[] = [];
      // A file may list an entry twice.
      const back = new Set<string>();
      const noteVisible = {
        show(ids: readonly string[]) {
          if (onReport) for (const one of ids) if (!history.isVisible(one)) back.add(one);
          history.show(ids);
        },
        onAdded(ids: readonly string[]) {
          if (onReport) for (const one of ids) added.push(one);
          history.notifyChanged(ids);
        },
      };
      function onEnd({ counts, paths, refusedLines }: ImportedParts): void {
        const ids = [...added, ...back];
        const undo = ids.length > 0 ? randomUUID() : null;
        if (onReport && undo !== null) lastImport = { undo, ids, paths };
        onReport?.({ ...counts, known: counts.known - back.size, broughtBack: back.size, refusedLines, undo });
      }
      try {
        return await importHistory({ ...shared, ...noteVisible, connectionId }, { ...watched, path, folder, onEnd });
      } finally {
        // An import shows removed entries again. If the database is not writable, the error is
        // returned without waiting for their files.
        const back = removals.restoreVisible();
        if (writes.heldSince() === null) await back;
        else back.catch(dependencies.onDefect);
      }
    },
    async results(ids) {
      const paths: string[] = [];
      for (const id of ids) {
        const job = store.get(id);
        const file = job ? resultOf(job) : null;
        const status = file && (await fileQueries.quickStatus(file));
        if (file && status !== 'missing' && status !== 'away') paths.push(file.path);
      }
      return [...new Set(paths)];
    },
    hasRestorable: (resolveIds, signal) => hasRestorable(shared, resolveIds, signal),
    async restore(ids, watched, onRestored = () => undefined) {
      const restored = await restoreResults(shared, ids, watched, onRestored);
      // The page may play a restored file at once, so it needs the new path first.
      history.flush();
      return restored;
    },
    largestResults: (signal) => findLargestResults({ database, store, fileQueries }, signal),
  };
}

interface CheckedFile {
  readonly id: string;
  readonly which: WhichFile;
  readonly file: EntryFile;
  readonly status: FileStatus;
}
