import type { DatabaseSync } from 'node:sqlite';
import { afterCommit, transaction, withoutWaiting } from '../database/transaction.ts';
import type { Signature } from './eyes/eyes.ts';
import type { FileLine } from './file-line.ts';
import type { FileLines, LineChange } from './file-lines.ts';
import type { FolderStore } from './folder-store.ts';
import type { LineOfWork } from './line-of-work.ts';
import type { WatchFolder } from './watch-folder.ts';

/** The lines of one folder, and the way to write them: every change is told to whoever shows it. */
export interface FileDesk {
  readonly id: string;
  /** As it is kept just now. */
  folder(): WatchFolder;
  get(path: string): FileLine | undefined;
  put(path: string, change: LineChange, known?: FileLine | null): FileLine;
  /** The file was there before. False where there is a line of it that says otherwise. */
  leave(path: string, signature: Signature): boolean;
  /** The file is to be looked at closely. */
  toGate(path: string, change?: LineChange): FileLine;
  /** Works through many, some in one transaction, and lets others have a turn between. */
  inSlices<T>(all: readonly T[], each: (some: readonly T[]) => void): void;
  /** The same over all files that were left alone; `last` is done after them. */
  overLeftAlone(each: (some: readonly FileLine[]) => void, last: () => void): void;
}

interface Dependencies {
  readonly id: string;
  readonly database: DatabaseSync;
  readonly folders: FolderStore;
  readonly lines: FileLines;
  readonly work: LineOfWork;
  onFile(path: string): void;
}

/** Each commit costs as much as some ten files; all of them together stay below what a window notices. */
const atOnce = 500;

export function createFileDesk({ id, database, folders, lines, work, onFile }: Dependencies): FileDesk {
  function put(path: string, change: LineChange, known?: FileLine | null): FileLine {
    const line = withoutWaiting(database, () => lines.put(id, path, change, known));
    afterCommit(database, () => onFile(path));
    return line;
  }

  function overLeftAlone(each: (some: readonly FileLine[]) => void, last: () => void, after = -Infinity): void {
    work.add(() => {
      const some = lines.leftAlone(id, after, atOnce);
      withoutWaiting(database, () => transaction(database, () => each(some)));
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
      const isLeft = withoutWaiting(database, () => lines.leave(id, path, signature));
      if (isLeft) afterCommit(database, () => onFile(path));
      return isLeft;
    },
    toGate: (path, change = {}) =>
      put(path, { verdict: 'waiting', standing: 'open', problem: null, isThere: true, ...change }),
    inSlices(all, each) {
      for (let start = 0; start < all.length; start += atOnce) {
        const some = all.slice(start, start + atOnce);
        work.add(() => withoutWaiting(database, () => transaction(database, () => each(some))));
      }
    },
    overLeftAlone,
  };
}
