import type { BigIntStats } from 'node:fs';
import { extname, relative } from 'node:path';
import { splitPath } from './file-index.ts';
import type { DiscoveredFile, WatchedRoot } from './scanner.ts';

/** The rule by which a name is passed over. */
export type IgnoreReason =
  | { readonly kind: 'hidden' }
  /** `pattern` as people write it: `*.part`. */
  | { readonly kind: 'temporary'; readonly pattern: string }
  /** `ending` in lower case with the dot; empty where there is none. */
  | { readonly kind: 'ending'; readonly ending: string };

interface TemporaryName {
  readonly pattern: string;
  /** On the lower-case name. */
  readonly matches: (name: string) => boolean;
}

const endsOn = (ending: string): TemporaryName => ({
  pattern: `*${ending}`,
  matches: (name) => name.endsWith(ending),
});

const beginsWith = (start: string, shown = start): TemporaryName => ({
  pattern: `${shown}*`,
  matches: (name) => name.startsWith(start),
});

const isCalled = (name: string): TemporaryName => ({
  pattern: name,
  matches: (other) => other === name.toLowerCase(),
});

/** What browsers, office programs, synchronizers, unpackers and file servers leave while they work, or for themselves. */
const temporaryNames: readonly TemporaryName[] = [
  ...['.part', '.partial', '.crdownload', '.filepart', '.tmp', '~'].map(endsOn),
  beginsWith('~$'),
  beginsWith('._'),
  beginsWith('.syncthing.'),
  beginsWith('~syncthing~'),
  beginsWith('_unpack_', '_UNPACK_'),
  beginsWith('.~lock.'),
  ...['.DS_Store', 'Thumbs.db', '@eaDir'].map(isCalled),
];

const isPlain = (name: string) => !/^[.~_@]|^thumbs\.db$|~$|\.(part|partial|crdownload|filepart|tmp)$/.test(name);

/**
 * The rule that keeps a name from being looked at, of a file or of a folder; null where none does. The temporary names come before
 * the hidden ones, because they tell a person more.
 */
export function ignoredName(name: string): IgnoreReason | null {
  const lower = name.toLowerCase();
  // Nearly all of a hundred thousand names: one look instead of fourteen.
  if (isPlain(lower)) return null;
  const temporary = temporaryNames.find(({ matches }) => matches(lower));
  if (temporary) return { kind: 'temporary', pattern: temporary.pattern };
  return name.startsWith('.') ? { kind: 'hidden' } : null;
}

/** As `ignoredName`, of a file that also needs one of the chosen endings (lower case with the dot). */
export function ignoredFile(name: string, endings: readonly string[]): IgnoreReason | null {
  const byName = ignoredName(name);
  if (byName) return byName;
  const ending = extname(name).toLowerCase();
  return endings.includes(ending) ? null : { kind: 'ending', ending };
}

/** What of a root is looked at. */
export interface WatchRules {
  readonly root: WatchedRoot;
  /** A folder (relative path and its name) is looked into. */
  readonly entersFolder: (path: string, name: string) => boolean;
  /** A folder is looked into, and so are all above it. */
  readonly reaches: (path: string) => boolean;
  readonly takesFile: (name: string) => boolean;
  readonly kindOf: (stats: BigIntStats) => DiscoveredFile['kind'] | null;
}

export function watchRules(root: WatchedRoot, platform: NodeJS.Platform): WatchRules {
  // These systems take two spellings of a name for one.
  const isCaseBlind = platform === 'win32' || platform === 'darwin';
  const asOne = (path: string) => (isCaseBlind ? path.normalize('NFC').toLowerCase() : path);
  const excluded = new Set(root.excluded.map((folder) => asOne(relative(root.path, folder))));

  const entersFolder = (path: string, name: string) =>
    root.isRecursive && ignoredName(name) === null && !excluded.has(asOne(path));

  function reaches(path: string): boolean {
    if (path === '') return true;
    const { folder, name } = splitPath(path);
    return entersFolder(path, name) && reaches(folder);
  }

  return {
    root,
    entersFolder,
    reaches,
    takesFile: (name) => ignoredFile(name, root.endings) === null,
    kindOf(stats) {
      if (stats.isSymbolicLink()) return 'link';
      if (!stats.isFile()) return null;
      // A sparse file on Linux may have no block of its own; on the others it is what a cloud's program leaves.
      return isCaseBlind && stats.size > 0n && stats.blocks === 0n ? 'placeholder' : 'file';
    },
  };
}
