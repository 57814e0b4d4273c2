import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { dirname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type {
  RepeatChanges,
  FileStatus,
  RepeatResult,
  HistoryExport,
  HistoryFound,
  HistoryImport,
  FileStatusReport,
} from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import { isWriteBlocked } from '../database/write-gate.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import type { Job } from '../jobs/job.ts';
import type { Queue } from '../jobs/queue.ts';
import { nameKey } from '../files/names.ts';
import type { VoiceCatalogue } from '../voices/voice-catalogue.ts';
import { repeatJobs, resumeOrRepeat } from './repeat-job.ts';
import {
  createDiskQueries,
  createFileStatuses,
  type EntryFile,
  fileOf,
  quickStatus,
  resultOf,
  type WhichFile,
} from './file-status.ts';
import { findByContent, updatePath, maxNamesNearby, type NewPlace, placesNearby, type SearchPlace } from './relink.ts';
import type { Marks } from './archive-format.ts';
import { createRemovals, type Removals, type VisibleEntries } from './removal.ts';
import type { TellProgress } from '../events.ts';

/** What of history these files belong to. */
export interface Shelf extends VisibleEntries {
  marks(jobId: string): Marks;
  /** Rows of these entries are others now, or new. */
  changed(jobIds: readonly string[]): void;
  /** Tells of what was changed before an answer goes out that rests on it. */
  tellNow(): void;
}

/** Work that takes a while: somebody looks at how far it has come, and may end it. */
export interface LongTask {
  readonly signal: AbortSignal;
  readonly onProgress: TellProgress;
}

/** The files of history. It touches nothing until it is started. */
export interface HistoryFiles extends Removals {
  /** Where the files of entries are. One that is missing is looked for around its place, and linked again. */
  look(ids: readonly string[], signal: AbortSignal): Promise<readonly FileStatusReport[]>;
  /** Looks for a file in this one, or in this folder at any depth. Throws `job/not-found`. */
  find(id: string, which: WhichFile, where: string, watched: LongTask): Promise<HistoryFound>;
  /** As of `repeatJobs`. */
  again(ids: readonly string[], changes?: RepeatChanges): Promise<RepeatResult>;
  /** As of `resumeOrRepeat`. */
  askAgain(id: string, changes?: RepeatChanges): Promise<Job>;
  /** As of `exportHistory`. */
  exportTo(target: string, ids: readonly string[], what: 'list' | 'sound', watched: LongTask): Promise<HistoryExport>;
  /** As of `importHistory`. */
  importFrom(path: string, folder: string, watched: LongTask): Promise<HistoryImport>;
  /** Paths of the results that are there, each once. */
  results(ids: readonly string[]): Promise<readonly string[]>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly queue: Pick<Queue, 'store' | 'intake' | 'writes'>;
  readonly connections: ConnectionRegistry;
  readonly voices: VoiceCatalogue;
  readonly shelf: Shelf;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  trash(path: string): Promise<void>;
  onDefect(error: unknown): void;
}

/** A search that nobody asked for ends early, and is not repeated each time that a row is shown. */
const nearbyMs = 1500;
const fruitlessMs = 60_000;

export function createHistoryFiles(dependencies: Dependencies): HistoryFiles {
  const { database, queue, connections, shelf, clock, platform } = dependencies;
  const { store, writes } = queue;
  const looks = createDiskQueries({ clock, platform });
  const standings = createFileStatuses({ looks, clock, platform });
  const onChanged = (ids: readonly string[]) => {
    store.announce(ids);
    shelf.changed(ids);
  };
  const own = { ...dependencies, store, writes, looks, job: store.get, randomId: randomUUID, onChanged };
  const removals = createRemovals({ ...own, shown: shelf, onLinked: onChanged });
  const selectTaken = database.prepare(
    'SELECT 1 FROM job WHERE (output_key = ? AND output_path = ?) OR source_path = ? LIMIT 1',
  );
  const isTaken = (path: string) => selectTaken.get(nameKey(path), path, path) !== undefined;
  /** When a file was looked for in vain. */
  const fruitless = new Map<string, number>();
  /** Where the files of a folder went, as one of them was found there. */
  const moves = new Map<string, string>();

  function link(which: WhichFile, file: EntryFile, place: NewPlace): readonly string[] {
    const ids = writes.write(() => updatePath(database, which, file, place));
    moves.set(dirname(file.path), dirname(place.path));
    fruitless.clear();
    onChanged(ids);
    return ids;
  }

  function linkIfWritable(which: WhichFile, file: EntryFile, place: NewPlace): boolean {
    try {
      link(which, file, place);
      return true;
    } catch (error) {
      if (isWriteBlocked(error)) return false;
      throw error;
    }
  }

  /** Files that are missing and where nobody has looked lately. */
  function toFind(files: readonly Looked[]): readonly Looked[] {
    const now = clock.now();
    return files.filter(({ file, standing }) => {
      const last = fruitless.get(file.path);
      return standing === 'missing' && (last === undefined || now - last > fruitlessMs);
    });
  }

  async function findNearby(files: readonly Looked[], signal: AbortSignal): Promise<readonly Looked[]> {
    const missing = toFind(files);
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
        return new Map<EntryFile, NewPlace>();
      },
    );
    const found = new Map(nearby);
    for (const { which, file } of missing) {
      const place = found.get(file);
      if (!place) fruitless.set(file.path, clock.now());
      // Where that cannot be kept just now, it is found again by the next look.
      else if (!linkIfWritable(which, file, place)) found.delete(file);
    }
    // Whoever hears that a file is there may play it at once, and has to know where.
    if (found.size > 0) shelf.tellNow();
    return files.map((looked) => (found.has(looked.file) ? { ...looked, standing: 'there' } : looked));
  }

  return {
    ...removals,
    async look(ids, signal) {
      const files = ids.flatMap((id) => {
        const job = store.get(id);
        return (['source', 'result'] as const).flatMap((which) => {
          const file = job && fileOf(job, which);
          return file ? { id, which, file } : [];
        });
      });
      const stand = await standings.of(
        files.map(({ file }) => file),
        signal,
      );
      const looked = files.map((file, k): Looked => ({ ...file, standing: stand[k] ?? 'away' }));
      const seen = await findNearby(looked, signal);
      const standingOf = (id: string, which: WhichFile) =>
        seen.find((one) => one.id === id && one.which === which)?.standing ?? null;
      return ids.map((id) => ({ id, source: standingOf(id, 'source'), result: standingOf(id, 'result') }));
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
      shelf.tellNow();
      return { kind: 'found', entries };
    },
    again: (ids, changes) => repeatJobs({ ...own, ...queue }, ids, changes),
    askAgain: (id, changes) => resumeOrRepeat({ ...own, ...queue }, id, changes),
    // Archives are read and written by a library that nobody waits for before the first paint.
    async exportTo(target, ids, what, watched) {
      const { exportHistory } = await import('./export.ts');
      return exportHistory({ ...own, marks: shelf.marks }, { ...watched, target, ids, what });
    },
    async importFrom(path, folder, watched) {
      const { importHistory } = await import('./import.ts');
      const connectionId = (name: string) => connections.list().find((one) => one.name === name)?.id;
      try {
        return await importHistory(
          { ...own, show: shelf.show, onAdded: shelf.changed, connectionId },
          { ...watched, path, folder },
        );
      } finally {
        // It shows what was removed, too. Whoever was told that nothing can be written does not wait until it can.
        const back = removals.bringBackShown();
        if (writes.heldSince() === null) await back;
        else back.catch(dependencies.onDefect);
      }
    },
    async results(ids) {
      const paths: string[] = [];
      for (const id of ids) {
        const job = store.get(id);
        const file = job ? resultOf(job) : null;
        const look = file && (await quickStatus(file, looks, platform));
        if (file && look !== 'missing' && look !== 'away') paths.push(file.path);
      }
      return [...new Set(paths)];
    },
  };
}

interface Looked {
  readonly id: string;
  readonly which: WhichFile;
  readonly file: EntryFile;
  readonly standing: FileStatus;
}
