import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { BigIntStats } from 'node:fs';
import { createBreather } from './breather.ts';
import { canaryPrefix } from './canary.ts';
import type { SeenFile } from './eyes.ts';
import { joinPath, onDisk, type FileIndex, type IndexedFolder } from './file-index.ts';
import { listFolder } from './list-folder.ts';
import { lstatEach } from './lstat-each.ts';
import { markerName } from './root-identity.ts';
import { isMissing, isOutOfHandles } from './system-code.ts';
import type { WatchRules } from './watch-rules.ts';

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
  readonly onFile: (path: string, kind: SeenFile['kind'], stats: BigIntStats) => void;
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
  readonly passedOver: number;
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
  readonly passedOver: number;
}

/** What the system puts in place of bytes that are no text; it may also stand in a good name. */
const hasReplacement = (path: string) => path.includes('\uFFFD');

const isOurs = (name: string) => name === markerName || name.startsWith(canaryPrefix);

async function listByRules({ rules, signal }: ScanOrder, folder: string): Promise<Listing> {
  const files: string[] = [];
  const folders: string[] = [];
  let passedOver = 0;
  await listFolder(onDisk(rules.root.path, folder), (entry) => {
    if (signal.aborted) return;
    const { name } = entry;
    if (entry.isDirectory()) {
      if (rules.entersFolder(joinPath(folder, name), name)) folders.push(name);
    } else if (entry.isFile() || entry.isSymbolicLink()) {
      if (rules.takesFile(name)) files.push(name);
      else if (!isOurs(name)) passedOver += 1;
    }
  });
  return { files, folders, passedOver };
}

/** Goes through a folder and those below it, following no link. Rejects with the signal's reason only. */
export async function scanFolder(order: ScanOrder): Promise<Scan> {
  const { rules, index, from, isThorough, isFresh, onFile, onFolder, isLocal, monotonic, signal } = order;
  const breathe = createBreather(monotonic);
  const toRead = [from];
  const unreadable: string[] = [];
  const unnameable: string[] = [];
  const missing: string[] = [];
  const missingFolders: string[] = [];
  let outOfHandles = false;
  let files = 0;
  let folders = 0;
  let passedOver = 0;

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
    passedOver += listing.passedOver;

    const looked: string[] = [];
    const known = index.get(folder)?.files;
    for (const name of listing.files) {
      if (isThorough || !known?.has(name) || isFresh(joinPath(folder, name))) looked.push(onDisk(path, name));
    }
    await lstatEach(looked, {
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
      else if (!isMissing(error)) unreadable.push(folder);
      else if (hasReplacement(basename(folder))) unnameable.push(folder);
    }
    const pause = breathe();
    if (pause) await pause;
  }
  return { files, folders, passedOver, unreadable, unnameable, isOutOfHandles: outOfHandles, missing, missingFolders };
}
