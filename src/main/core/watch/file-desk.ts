import type { DatabaseSync } from 'node:sqlite';
import { transaction, withoutWaiting } from '../database/transaction.ts';
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
  /** The file is to be looked at closely. */
  toGate(path: string, change?: LineChange): FileLine;
  /** Works through many, some in one transaction, and lets others have a turn between. */
  inSlices<T>(all: readonly T[], each: (some: readonly T[]) => void): void;
}

interface Dependencies {
  readonly id: string;
  readonly database: DatabaseSync;
  readonly folders: FolderStore;
  readonly lines: FileLines;
  readonly work: LineOfWork;
  onFile(path: string): void;
}

const atOnce = 50;

export function createFileDesk({ id, database, folders, lines, work, onFile }: Dependencies): FileDesk {
  function put(path: string, change: LineChange, known?: FileLine | null): FileLine {
    const line = withoutWaiting(database, () => lines.put(id, path, change, known));
    onFile(path);
    return line;
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
    toGate: (path, change = {}) =>
      put(path, { verdict: 'waiting', standing: 'open', problem: null, isThere: true, ...change }),
    inSlices(all, each) {
      for (let start = 0; start < all.length; start += atOnce) {
        const some = all.slice(start, start + atOnce);
        work.add(() => withoutWaiting(database, () => transaction(database, () => each(some))));
      }
    },
  };
}
