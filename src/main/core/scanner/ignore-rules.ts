import type { BigIntStats } from 'node:fs';
import { extname, relative } from 'node:path';
import { canonicalPath } from '../files/canonical-path.ts';
import { splitPath } from './file-index.ts';
import type { DiscoveredFile, WatchedRoot } from './scanner.ts';

/** Why a name is ignored. */
export type IgnoreReason =
  | { readonly kind: 'hidden' }
  /** `pattern` as the user would write it: `*.part`. */
  | { readonly kind: 'temporary'; readonly pattern: string }
  /** `ending` in lower case with the dot; empty if there is none. */
  | { readonly kind: 'ending'; readonly ending: string };

interface TemporaryName {
  readonly pattern: string;
  /** Takes the name in lower case. */
  readonly matches: (name: string) => boolean;
}

const endsWith = (ending: string): TemporaryName => ({
  pattern: `*${ending}`,
  matches: (name) => name.endsWith(ending),
});

const startsWith = (prefix: string, shown = prefix): TemporaryName => ({
  pattern: `${shown}*`,
  matches: (name) => name.startsWith(prefix),
});

const equals = (name: string): TemporaryName => ({
  pattern: name,
  matches: (other) => other === name.toLowerCase(),
});

/** Temporary and internal names of browsers, office and sync programs, archivers and file servers. */
const temporaryNames: readonly TemporaryName[] = [
  ...['.part', '.partial', '.crdownload', '.filepart', '.tmp', '~'].map(endsWith),
  startsWith('~$'),
  startsWith('._'),
  startsWith('.syncthing.'),
  startsWith('~syncthing~'),
  startsWith('_unpack_', '_UNPACK_'),
  startsWith('.~lock.'),
  ...['.DS_Store', 'Thumbs.db', '@eaDir'].map(equals),
];

const isPlain = (name: string) => !/^[.~_@]|^thumbs\.db$|~$|\.(part|partial|crdownload|filepart|tmp)$/.test(name);

/**
 * Returns why the name of a file or folder is ignored, or null if it is not. Temporary names come before
 * hidden ones, because they tell the user more.
 */
export function ignoredName(name: string): IgnoreReason | null {
  const lower = name.toLowerCase();
  // Fast path for nearly all of 100,000 names: one test instead of fourteen.
  if (isPlain(lower)) return null;
  const temporary = temporaryNames.find(({ matches }) => matches(lower));
  if (temporary) return { kind: 'temporary', pattern: temporary.pattern };
  return name.startsWith('.') ? { kind: 'hidden' } : null;
}

/** Like `ignoredName`, for a file, which also needs one of the given endings (lower case with the dot). */
export function ignoredFile(name: string, endings: readonly string[]): IgnoreReason | null {
  const byName = ignoredName(name);
  if (byName) return byName;
  const ending = extname(name).toLowerCase();
  return endings.includes(ending) ? null : { kind: 'ending', ending };
}

/** Which files and folders of a root are scanned. */
export interface WatchRules {
  readonly root: WatchedRoot;
  /**
   * Looks where the excluded folders are by now: links may lead to them, and on a disk that ignores case they may have other
   * letters. Call it before a scan.
   */
  readonly locateExcluded: () => Promise<void>;
  /** True if a folder (relative path and name) is scanned, provided that those above it are. */
  readonly entersFolder: (path: string, name: string) => boolean;
  /** True if a folder and all those above it are scanned. */
  readonly reaches: (path: string) => boolean;
  readonly includesFile: (name: string) => boolean;
  readonly kindOf: (stats: BigIntStats) => DiscoveredFile['kind'] | null;
}

export function watchRules(root: WatchedRoot, platform: NodeJS.Platform): WatchRules {
  // These systems ignore the case and Unicode normalisation of names.
  const isCaseInsensitive = platform === 'win32' || platform === 'darwin';
  const normalized = (path: string) => (isCaseInsensitive ? path.normalize('NFC').toLowerCase() : path);
  const named = root.excluded.map((folder) => normalized(relative(root.path, folder)));
  let excluded = new Set(named);

  async function locateExcluded(): Promise<void> {
    const at = await canonicalPath(root.path).catch(() => root.path);
    const found: string[] = [];
    for (const folder of root.excluded) {
      const canonical = await canonicalPath(folder).catch(() => null);
      if (canonical !== null) found.push(normalized(relative(at, canonical)));
    }
    excluded = new Set([...named, ...found]);
  }

  const entersFolder = (path: string, name: string) =>
    root.isRecursive && ignoredName(name) === null && !excluded.has(normalized(path));

  function reaches(path: string): boolean {
    if (path === '') return true;
    const { folder, name } = splitPath(path);
    return entersFolder(path, name) && reaches(folder);
  }

  return {
    root,
    locateExcluded,
    entersFolder,
    reaches,
    includesFile: (name) => ignoredFile(name, root.endings) === null,
    kindOf(stats) {
      if (stats.isSymbolicLink()) return 'link';
      if (!stats.isFile()) return null;
      // Sync programs leave placeholders without blocks; on Linux a sparse file may have none either.
      return isCaseInsensitive && stats.size > 0n && stats.blocks === 0n ? 'placeholder' : 'file';
    },
  };
}
