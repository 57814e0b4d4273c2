import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterCommit, transaction, relaxedCommit } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { Signature } from '../scanner/scanner.ts';
import type { FileRecord } from './file-record.ts';
import type { FileStore, RecordChange } from './file-store.ts';
import type { FolderStore, WatchFolder } from './folder-store.ts';

/** The lines of one folder, and the way to write them: every change is told to whoever shows it. */
export interface BatchWriter {
  readonly id: string;
  /** As it is kept just now. */
  folder(): WatchFolder;
  get(path: string): FileRecord | undefined;
  put(path: string, change: RecordChange, known?: FileRecord | null): FileRecord;
  /** The file was there before. False where there is a line of it that says otherwise. */
  leave(path: string, signature: Signature): boolean;
  /** The file is to be looked at closely. */
  toGate(path: string, change?: RecordChange): FileRecord;
  /** Works through many, some in one transaction, and lets others have a turn between. */
  inSlices<T>(all: readonly T[], each: (some: readonly T[]) => void): void;
  /** The same over all files that were left alone; `last` is done after them. */
  overLeftAlone(each: (some: readonly FileRecord[]) => void, last: () => void): void;
}

interface Dependencies {
  readonly id: string;
  readonly database: DatabaseSync;
  readonly folders: FolderStore;
  readonly lines: FileStore;
  readonly work: WriteQueue;
  onFile(path: string): void;
}

/** Each commit costs as much as some ten files; all of them together stay below what a window notices. */
const atOnce = 500;

export function createBatchWriter({ id, database, folders, lines, work, onFile }: Dependencies): BatchWriter {
  function put(path: string, change: RecordChange, known?: FileRecord | null): FileRecord {
    const line = relaxedCommit(database, () => lines.put(id, path, change, known));
    afterCommit(database, () => onFile(path));
    return line;
  }

  function overLeftAlone(each: (some: readonly FileRecord[]) => void, last: () => void, after = -Infinity): void {
    work.add(() => {
      const some = lines.leftAlone(id, after, atOnce);
      relaxedCommit(database, () => transaction(database, () => each(some)));
      const end = some.at(-1);
      if (end && some.length === atOnce) overLeftAlone(each, last, end.order);
      else last();
    });
  }

  return {
    id,
    folder() {
      const found = folders.get(id);
      if (!found) throw new Error(`no watched folder ${id}`);
      return found;
    },
    get: (path) => lines.get(id, path),
    put,
    leave(path, signature) {
      const isLeft = relaxedCommit(database, () => lines.leave(id, path, signature));
      if (isLeft) afterCommit(database, () => onFile(path));
      return isLeft;
    },
    toGate: (path, change = {}) =>
      put(path, { verdict: 'waiting', standing: 'open', problem: null, isThere: true, ...change }),
    inSlices(all, each) {
      for (let start = 0; start < all.length; start += atOnce) {
        const some = all.slice(start, start + atOnce);
        work.add(() => relaxedCommit(database, () => transaction(database, () => each(some))));
      }
    },
    overLeftAlone,
  };
}

/**
 * Work that is done in order, a few milliseconds at a time, so that a window never waits for ten thousand files. While the database
 * cannot be written, all of it waits: what was told of a file is told once, and whoever forgets it loses a recording.
 */
export interface WriteQueue {
  /** What throws because the database cannot be written is done again from its beginning. */
  add(work: () => void): void;
  isEmpty(): boolean;
  /** Resolves when everything that was added is done. */
  empty(): Promise<void>;
  /** Forgets what was not begun. */
  stop(): void;
}

const sliceMs = 6;

export function createWriteQueue(writes: Pick<WriteGate, 'commit'>, onDefect: (error: unknown) => void): WriteQueue {
  const waiting: (() => void)[] = [];
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    await nextTurn();
    let began = performance.now();
    for (let work = waiting.shift(); work; work = waiting.shift()) {
      try {
        await writes.commit(work, stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) onDefect(error);
      }
      if (performance.now() - began < sliceMs) continue;
      await nextTurn();
      began = performance.now();
    }
    running = null;
  }

  return {
    add(work) {
      if (stopping.signal.aborted) return;
      waiting.push(work);
      running ??= run();
    },
    isEmpty: () => running === null,
    async empty() {
      while (running) await running;
    },
    stop() {
      waiting.length = 0;
      stopping.abort(new Error('stopped'));
    },
  };
}
