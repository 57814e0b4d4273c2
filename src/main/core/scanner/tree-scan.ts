import { type BigIntStats, type Dirent, lstat as lstatWithCallback, lstatSync, opendir } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createEventLoopYielder } from '../clock.ts';
import { isNotFound, isOutOfHandles } from '../files/errno.ts';
import { type FileIndex, type IndexedFolder, joinPath, onDisk } from './file-index.ts';
import { canaryPrefix } from './fs-events.ts';
import type { WatchRules } from './ignore-rules.ts';
import { markerName } from './root-identity.ts';
import type { DiscoveredFile } from './scanner.ts';

/** Entries that one call to the system gives: a folder of 50,000 files must not keep the loop for longer than this many take. */
const entriesAtOnce = 512;

/**
 * All entries of a folder, told one after the other. Callbacks, because a promise for each name of a hundred thousand costs more than
 * the reading. Rejects as `opendir` does.
 */
export const listFolder = (path: string, onEntry: (entry: Dirent) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    opendir(path, { bufferSize: entriesAtOnce }, (failed, folder) => {
      if (failed) {
        reject(failed);
        return;
      }
      const end = (error: Error | null) =>
        folder.close((notClosed) => {
          if (error ?? notClosed) reject(error ?? notClosed ?? new Error('not closed'));
          else resolve();
        });
      const readOn = () =>
        folder.read((error, entry) => {
          if (error || !entry) {
            end(error);
            return;
          }
          onEntry(entry);
          readOn();
        });
      readOn();
    });
  });

interface Order {
  /** What was found at a path of the list; null with the error where nothing could be. */
  readonly onStats: (path: string, stats: BigIntStats | null, error: Error | null) => void;
  /** The disk is in this machine and answers at once. */
  readonly isLocal: boolean;
  readonly signal: AbortSignal;
}

/** More keep the four threads of the pool no busier, and a slow network drive is still asked for many at once. */
const atOnce = 16;

const statNow = (path: string, onStats: Order['onStats']) => {
  try {
    onStats(path, lstatSync(path, { bigint: true }), null);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    onStats(path, null, error);
  }
};

/** Without the way to another thread and back a look takes a third of the time; the loop turns every few milliseconds. */
async function lookInSlices(paths: readonly string[], { onStats, signal }: Order): Promise<void> {
  const breathe = createEventLoopYielder(() => performance.now());
  for (const path of paths) {
    const pause = breathe();
    if (pause) await pause;
    if (signal.aborted) return;
    statNow(path, onStats);
  }
}

/** Callbacks, because promises take twice the time. */
const lookAside = (paths: readonly string[], { onStats, signal }: Order): Promise<void> =>
  new Promise((resolve) => {
    let next = 0;
    let running = 0;
    const goOn = () => {
      while (running < atOnce && next < paths.length && !signal.aborted) {
        const path = paths[next] ?? '';
        next += 1;
        running += 1;
        lstatWithCallback(path, { bigint: true }, (error, stats) => {
          running -= 1;
          if (!signal.aborted) onStats(path, error ? null : stats, error);
          goOn();
        });
      }
      if (running === 0) resolve();
    };
    goOn();
  });

/** Looks at many paths, links themselves and not what they lead to. Ends early when the signal is aborted; never rejects. */
export const statMany = (paths: readonly string[], order: Order): Promise<void> =>
  order.isLocal ? lookInSlices(paths, order) : lookAside(paths, order);

export interface ScanOrder {
  readonly rules: WatchRules;
  /** What is known. A scan adds the folders that it read; files are written by `onFile`. */
  readonly index: FileIndex;
  /** Where to begin, relative to the root. */
  readonly from: string;
  /** False looks at a file that is known by its name only, unless `isFresh`. */
  readonly isThorough: boolean;
  readonly isFresh: (path: string) => boolean;
  /** Of every file that was looked at, known or not. */
  readonly onFile: (path: string, kind: DiscoveredFile['kind'], stats: BigIntStats) => void;
  /** Before a folder is listed that was not known. */
  readonly onFolder: (path: string) => void;
  /** The disk is in this machine and answers at once. */
  readonly isLocal: boolean;
  readonly monotonic: () => number;
  readonly signal: AbortSignal;
}

export interface Scan {
  readonly files: number;
  readonly folders: number;
  readonly ignored: number;
  /** Folders that could not be read, for want of a right or for an error of their disk. What is known of them stays. */
  readonly unreadable: readonly string[];
  /** What has signs in its name that are no text (Unicode), as the system gives it: by that name it cannot be opened. */
  readonly unnameable: readonly string[];
  /** Some folder was not read because too many files are open: look again soon. */
  readonly isOutOfHandles: boolean;
  /** Not found any more where they were. No proof yet that they are gone. */
  readonly missing: readonly string[];
  readonly missingFolders: readonly string[];
}

interface Listing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly ignored: number;
}

/** What the system puts in place of bytes that are no text; it may also stand in a good name. */
const hasReplacement = (path: string) => path.includes('\uFFFD');

const isOurs = (name: string) => name === markerName || name.startsWith(canaryPrefix);

async function listByRules({ rules, signal }: ScanOrder, folder: string): Promise<Listing> {
  const files: string[] = [];
  const folders: string[] = [];
  let ignored = 0;
  await listFolder(onDisk(rules.root.path, folder), (entry) => {
    if (signal.aborted) return;
    const { name } = entry;
    if (entry.isDirectory()) {
      if (rules.entersFolder(joinPath(folder, name), name)) folders.push(name);
    } else if (entry.isFile() || entry.isSymbolicLink()) {
      if (rules.takesFile(name)) files.push(name);
      else if (!isOurs(name)) ignored += 1;
    }
  });
  return { files, folders, ignored };
}

/** Goes through a folder and those below it, following no link. Rejects with the signal's reason only. */
export async function scanFolder(order: ScanOrder): Promise<Scan> {
  const { rules, index, from, isThorough, isFresh, onFile, onFolder, isLocal, monotonic, signal } = order;
  const breathe = createEventLoopYielder(monotonic);
  const toRead = [from];
  const unreadable: string[] = [];
  const unnameable: string[] = [];
  const missing: string[] = [];
  const missingFolders: string[] = [];
  let outOfHandles = false;
  let files = 0;
  let folders = 0;
  let ignored = 0;

  /** By its number; or by a name of it that is there, after which the other folders of that disk are known by its new number, too. */
  function isSameDisk(known: IndexedFolder, device: string, { files, folders }: Listing): boolean {
    if (known.device === null || known.device === device) return true;
    const hasName = files.some((name) => known.files.has(name)) || folders.some((name) => known.folders.has(name));
    if (hasName) index.renumbered.set(known.device, device);
    return index.renumbered.get(known.device) === device;
  }

  /** Only what was on the same disk can be missed: an empty place where a disk was mounted says nothing of its files. */
  function compare(folder: string, device: string, listing: Listing): void {
    const known = index.get(folder);
    if (!known || !isSameDisk(known, device, listing)) return;
    known.device = device;
    if (known.files.size > 0) {
      const present = new Set(listing.files);
      for (const name of known.files.keys()) if (!present.has(name)) missing.push(joinPath(folder, name));
    }
    if (known.folders.size > 0) {
      const present = new Set(listing.folders);
      for (const name of known.folders) if (!present.has(name)) missingFolders.push(joinPath(folder, name));
    }
  }

  async function readOne(folder: string): Promise<void> {
    const path = onDisk(rules.root.path, folder);
    const { dev } = await lstat(path, { bigint: true });
    if (!index.get(folder)) onFolder(folder);
    const listing = await listByRules(order, folder);
    signal.throwIfAborted();
    compare(folder, String(dev), listing);
    index.open(folder).device ??= String(dev);
    folders += 1;
    files += listing.files.length;
    ignored += listing.ignored;

    const looked: string[] = [];
    const known = index.get(folder)?.files;
    for (const name of listing.files) {
      if (isThorough || !known?.has(name) || isFresh(joinPath(folder, name))) looked.push(onDisk(path, name));
    }
    await statMany(looked, {
      onStats(file, stats) {
        const kind = stats && rules.kindOf(stats);
        const inside = joinPath(folder, basename(file));
        if (kind) onFile(inside, kind, stats);
        else if (!stats && hasReplacement(basename(file))) unnameable.push(inside);
      },
      isLocal,
      signal,
    });
    for (const name of listing.folders) toRead.push(joinPath(folder, name));
  }

  for (let folder = toRead.pop(); folder !== undefined; folder = toRead.pop()) {
    signal.throwIfAborted();
    try {
      await readOne(folder);
    } catch (error) {
      signal.throwIfAborted();
      if (isOutOfHandles(error)) outOfHandles = true;
      else if (!isNotFound(error)) unreadable.push(folder);
      else if (hasReplacement(basename(folder))) unnameable.push(folder);
    }
    const pause = breathe();
    if (pause) await pause;
  }
  return { files, folders, ignored, unreadable, unnameable, isOutOfHandles: outOfHandles, missing, missingFolders };
}
