import type { BigIntStats } from 'node:fs';
import { relative } from 'node:path';
import type { SeenFile, WatchedRoot } from './eyes.ts';
import { splitPath } from './file-index.ts';
import { passedOverFile, passedOverName } from './passed-over.ts';

/** What of a root is looked at. */
export interface WatchRules {
  readonly root: WatchedRoot;
  /** A folder (relative path and its name) is looked into. */
  readonly entersFolder: (path: string, name: string) => boolean;
  /** A folder is looked into, and so are all above it. */
  readonly reaches: (path: string) => boolean;
  readonly takesFile: (name: string) => boolean;
  readonly kindOf: (stats: BigIntStats) => SeenFile['kind'] | null;
}

export function watchRules(root: WatchedRoot, platform: NodeJS.Platform): WatchRules {
  // These systems take two spellings of a name for one.
  const isCaseBlind = platform === 'win32' || platform === 'darwin';
  const asOne = (path: string) => (isCaseBlind ? path.normalize('NFC').toLowerCase() : path);
  const excluded = new Set(root.excluded.map((folder) => asOne(relative(root.path, folder))));

  const entersFolder = (path: string, name: string) =>
    root.isRecursive && passedOverName(name) === null && !excluded.has(asOne(path));

  function reaches(path: string): boolean {
    if (path === '') return true;
    const { folder, name } = splitPath(path);
    return entersFolder(path, name) && reaches(folder);
  }

  return {
    root,
    entersFolder,
    reaches,
    takesFile: (name) => passedOverFile(name, root.endings) === null,
    kindOf(stats) {
      if (stats.isSymbolicLink()) return 'link';
      if (!stats.isFile()) return null;
      // A sparse file on Linux may have no block of its own; on the others it is what a cloud's program leaves.
      return isCaseBlind && stats.size > 0n && stats.blocks === 0n ? 'placeholder' : 'file';
    },
  };
}
