import { type BigIntStats, type Dirent, lstat as lstatWithCallback, lstatSync, opendir, opendirSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createEventLoopYielder } from '../clock.ts';
import { isNotFound, isOutOfHandles } from '../files/errno.ts';
import { hasReplacement } from '../files/names.ts';
import { type FileIndex, type IndexedFolder, joinPath, onDisk } from './file-index.ts';
import { canaryPrefix } from './fs-events.ts';
import type { WatchRules } from './ignore-rules.ts';
import { lockName, markerName } from './root-identity.ts';
import type { DiscoveredFile } from './scanner.ts';

/** Directory entries per system call, so that a folder of 50,000 files does not block the event loop. */
const entriesPerRead = 512;

/** Synchronous calls take a tenth of the time of the thread pool. Yields to the event loop every few milliseconds. */
async function listInSlices(path: string, onEntry: (entry: Dirent) => void): Promise<void> {
  const yieldIfDue = createEventLoopYielder(() => performance.now());
  const folder = opendirSync(path, { bufferSize: entriesPerRead });
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
      onEntry(entry);
      const pause = yieldIfDue();
      if (pause) await pause;
    }
  } finally {
    folder.closeSync();
  }
}

/** Uses callbacks, because a promise for each of 100,000 names costs more than reading them. */
const listInPool = (path: string, onEntry: (entry: Dirent) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    opendir(path, { bufferSize: entriesPerRead }, (openError, folder) => {
      if (openError) {
        reject(openError);
        return;
      }
      const end = (error: Error | null) =>
        folder.close((closeError) => {
          const failed = error ?? closeError;
          if (failed) reject(failed);
          else resolve();
        });
      const readNext = () =>
        folder.read((error, entry) => {
          if (error || !entry) {
            end(error);
            return;
          }
          onEntry(entry);
          readNext();
        });
      readNext();
    });
  });

/** Calls `onEntry` for each entry of a folder; `isLocal` as for stats. Rejects as `opendir` does. */
export const listFolder = (path: string, isLocal: boolean, onEntry: (entry: Dirent) => void): Promise<void> =>
  isLocal ? listInSlices(path, onEntry) : listInPool(path, onEntry);

interface StatOptions {
  /** Called for each path: with its stats, or with null and the error. */
  readonly onStats: (path: string, stats: BigIntStats | null, error: Error | null) => void;
  /** The disk is in this machine, so it answers at once. */
  readonly isLocal: boolean;
  readonly signal: AbortSignal;
}

/** Keeps the four threads of libuv's pool busy, and hides the latency of a slow network drive. */
const maxConcurrent = 16;

const statOne = (path: string, onStats: StatOptions['onStats']) => {
  try {
    onStats(path, lstatSync(path, { bigint: true }), null);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    onStats(path, null, error);
  }
};

/** Synchronous calls take a third of the time of the thread pool. Yields to the event loop every few milliseconds. */
async function statInSlices(paths: readonly string[], { onStats, signal }: StatOptions): Promise<void> {
  const yieldIfDue = createEventLoopYielder(() => performance.now());
  for (const path of paths) {
    const pause = yieldIfDue();
    if (pause) await pause;
    if (signal.aborted) return;
    statOne(path, onStats);
  }
}

/** Uses callbacks, because promises take twice the time. */
const statInPool = (paths: readonly string[], { onStats, signal }: StatOptions): Promise<void> =>
  new Promise((resolve) => {
    let next = 0;
    let running = 0;
    const startNext = () => {
      while (running < maxConcurrent && next < paths.length && !signal.aborted) {
        const path = paths[next] ?? '';
        next += 1;
        running += 1;
        lstatWithCallback(path, { bigint: true }, (error, stats) => {
          running -= 1;
          if (!signal.aborted) onStats(path, error ? null : stats, error);
          startNext();
        });
      }
      if (running === 0) resolve();
    };
    startNext();
  });

/** Stats many paths without following links. Resolves early when the signal is aborted; never rejects. */
export const statMany = (paths: readonly string[], options: StatOptions): Promise<void> =>
  options.isLocal ? statInSlices(paths, options) : statInPool(paths, options);

export interface ScanOptions {
  readonly rules: WatchRules;
  /** The known files. A scan adds the folders it reads; `onFile` adds the files. */
  readonly index: FileIndex;
  /** The folder to scan, relative to the root. */
  readonly from: string;
  /** If false, known files are only listed, unless `mustCheck`. */
  readonly isThorough: boolean;
  /** Takes a known file and what the index has of it. */
  readonly mustCheck: (path: string, text: string) => boolean;
  /** Called for every checked file, known or not. */
  readonly onFile: (path: string, kind: DiscoveredFile['kind'], stats: BigIntStats) => void;
  /** Called for an unknown folder before it is listed. */
  readonly onFolder: (path: string) => void;
  readonly isLocal: boolean;
  readonly monotonic: () => number;
  readonly signal: AbortSignal;
}

export interface Scan {
  /** Number of files whose names the rules leave out, without Timbre's own. */
  readonly ignored: number;
  /** Folders that could not be read, because of permissions or a disk error. Their known files are kept. */
  readonly unreadable: readonly string[];
  /** Paths whose names are not valid Unicode, as the system returns them; they cannot be opened by these names. */
  readonly unnameable: readonly string[];
  /** Some folder was not read because too many files are open, so the scan should be repeated soon. */
  readonly isOutOfHandles: boolean;
  /** Known paths that were not found; not yet confirmed as deleted. */
  readonly missing: readonly string[];
  readonly missingFolders: readonly string[];
}

interface Listing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly ignored: number;
}

const isOurs = (name: string) => name === markerName || name === lockName || name.startsWith(canaryPrefix);

async function listByRules({ rules, isLocal, signal }: ScanOptions, folder: string): Promise<Listing> {
  const files: string[] = [];
  const folders: string[] = [];
  let ignored = 0;
  await listFolder(onDisk(rules.root.path, folder), isLocal, (entry) => {
    if (signal.aborted) return;
    const { name } = entry;
    if (entry.isDirectory()) {
      if (rules.entersFolder(joinPath(folder, name), name)) folders.push(name);
    } else if (entry.isFile() || entry.isSymbolicLink()) {
      if (rules.includesFile(name)) files.push(name);
      else if (!isOurs(name)) ignored += 1;
    }
  });
  return { files, folders, ignored };
}

/** Scans a folder and those below it without following links. Rejects only with the signal's reason. */
export async function scanFolder(options: ScanOptions): Promise<Scan> {
  const { rules, index, from, isThorough, mustCheck, onFile, onFolder, isLocal, monotonic, signal } = options;
  const yieldIfDue = createEventLoopYielder(monotonic);
  const queue = [from];
  const unreadable: string[] = [];
  const unnameable: string[] = [];
  const missing: string[] = [];
  const missingFolders: string[] = [];
  let outOfHandles = false;
  let ignored = 0;

  /** Compares device numbers; if they differ, a known name proves that the same disk got another number. */
  function isSameDisk(known: IndexedFolder, device: string, { files, folders }: Listing): boolean {
    if (known.device === null || known.device === device) return true;
    const hasName = files.some((name) => known.files.has(name)) || folders.some((name) => known.folders.has(name));
    if (hasName) index.renumbered.set(known.device, device);
    return index.renumbered.get(known.device) === device;
  }

  /** Files count as missing only on the same disk: an empty mount point says nothing about the disk's files. */
  function compare(folder: string, device: string, listing: Listing): void {
    const known = index.findFolder(folder);
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

  async function scanOne(folder: string): Promise<void> {
    const path = onDisk(rules.root.path, folder);
    const { dev } = await lstat(path, { bigint: true });
    if (!index.findFolder(folder)) onFolder(folder);
    const listing = await listByRules(options, folder);
    signal.throwIfAborted();
    compare(folder, String(dev), listing);
    index.openFolder(folder).device ??= String(dev);
    ignored += listing.ignored;

    const toCheck: string[] = [];
    const known = index.findFolder(folder)?.files;
    for (const name of listing.files) {
      const text = isThorough ? undefined : known?.get(name);
      if (text === undefined || mustCheck(joinPath(folder, name), text)) toCheck.push(onDisk(path, name));
    }
    await statMany(toCheck, {
      onStats(file, stats) {
        const kind = stats && rules.kindOf(stats);
        const relativePath = joinPath(folder, basename(file));
        if (kind) onFile(relativePath, kind, stats);
        else if (!stats && hasReplacement(basename(file))) unnameable.push(relativePath);
      },
      isLocal,
      signal,
    });
    for (const name of listing.folders) queue.push(joinPath(folder, name));
  }

  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    signal.throwIfAborted();
    try {
      await scanOne(folder);
    } catch (error) {
      signal.throwIfAborted();
      if (isOutOfHandles(error)) outOfHandles = true;
      else if (!isNotFound(error)) unreadable.push(folder);
      else if (hasReplacement(basename(folder))) unnameable.push(folder);
    }
    const pause = yieldIfDue();
    if (pause) await pause;
  }
  return { ignored, unreadable, unnameable, isOutOfHandles: outOfHandles, missing, missingFolders };
}
