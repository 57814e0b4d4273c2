import { realpath } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/app-error.ts';
import type { WatchSettings } from '../../../shared/wire/watch.ts';
import { transaction } from '../database/transaction.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { FolderStore } from './folder-store.ts';
import { isInside } from './source-end.ts';
import type { WatchFolder } from './watch-folder.ts';

/** Keeps two from watching the same files: each of these would be paid for twice. */
export interface FolderClaims {
  /**
   * Runs `write` under the write lock, with what is known of the folder already: the one of this id, or one that only commands watched
   * and that is in no window. Throws `data/not-writable`, and `watch/overlaps` where a window or a living process watches what is in it, or what it is in.
   */
  claim<T>(given: string | null, settings: WatchSettings, write: (known: WatchFolder | undefined) => T): Promise<T>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly writes: Pick<WriteGate, 'write'>;
  readonly folders: Pick<FolderStore, 'list' | 'isElsewhere'>;
  /** Whether this process watches it. */
  isKept(id: string): boolean;
}

const realPath = (path: string): Promise<string> => realpath(path).catch(() => path);

export function createFolderClaims({ database, writes, folders, isKept }: Dependencies): FolderClaims {
  /** Links are looked through beforehand: nothing waits for a disk under the lock. */
  async function realPaths(paths: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const path of paths) found.set(path, await realPath(path));
    return found;
  }

  return {
    async claim(given, settings, write) {
      const { path, isRecursive } = settings;
      for (;;) {
        const real = await realPaths([path, ...folders.list().map((folder) => folder.settings.path)]);
        const placeOf = (folder: WatchFolder) => real.get(folder.settings.path) ?? folder.settings.path;
        const own = real.get(path) ?? path;
        const lookAndWrite = () => {
          const all = folders.list();
          // One that came meanwhile, and that nobody has looked at.
          if (all.some((folder) => !real.has(folder.settings.path))) return null;
          const known = all.find((folder) =>
            given === null ? !folder.listed && placeOf(folder) === own : folder.id === given,
          );
          for (const folder of all) {
            const isWatched = folder.listed || isKept(folder.id) || folders.isElsewhere(folder.id);
            if (folder.id === known?.id || !isWatched) continue;
            const place = placeOf(folder);
            const isSeen =
              place === own ||
              (isRecursive && isInside(own, place)) ||
              (folder.settings.isRecursive && isInside(place, own));
            if (!isSeen) continue;
            const facts = { folder: folder.settings.path };
            throw new AppError('watch/overlaps', `${path} and ${facts.folder}`, { facts });
          }
          return { answer: write(known) };
        };
        const claimed = writes.write(() => transaction(database, lookAndWrite));
        if (claimed) return claimed.answer;
      }
    },
  };
}
