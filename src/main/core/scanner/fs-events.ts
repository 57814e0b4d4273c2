import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { errnoOf, isForbidden, isNotFound, isOutOfHandles } from '../files/errno.ts';
import { joinPath, onDisk } from './file-index.ts';

/** Something may have changed at a path (relative to the root). `isRename`: a name appeared or disappeared. */
export interface FsEvent {
  readonly path: string;
  readonly isRename: boolean;
}

/** Why no events arrive, or not all of them. */
export type EventLoss =
  /** The system watches no more folders for this user. */
  | 'too-many-folders'
  | 'too-many-files'
  /** Some events may have been lost, so everything must be scanned. */
  | 'lost';

/** A source of file system events. None arrives after `stop`. */
export interface FsEvents {
  /** Subscribes to folders (relative). Does nothing on systems that watch whole trees. */
  add(folders: readonly string[]): void;
  remove(folders: readonly string[]): void;
  /** True if a folder is subscribed to, or will be in a moment. */
  covers(folder: string): boolean;
  /** Resolves when chokidar has all added folders. */
  whenAdded(): Promise<void>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly root: string;
  readonly isRecursive: boolean;
  readonly platform: NodeJS.Platform;
  readonly onEvent: (event: FsEvent) => void;
  readonly onLoss: (loss: EventLoss) => void;
}

/** Adding this many folders blocks the event loop for a few milliseconds. */
const sliceSize = 50;
const sliceEveryMs = 4;
/** chokidar keeps an entry for every unwatched folder, and checks all of them for each event. */
const maxRemoved = 1000;

/**
 * Uses only chokidar's raw events, which precede its own bookkeeping. Folders are added one by one with depth 0, and
 * everything else is ignored.
 */
export function createFsEvents({ root, isRecursive, platform, onEvent, onLoss }: Dependencies): FsEvents {
  const watchesTrees = platform === 'darwin' || platform === 'win32';
  /** Absolute path, with chokidar's separators, to relative path. */
  const folders = new Map<string, string>();
  const waiting: string[] = [];
  let addedListeners: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let removed = 0;
  let stopped = false;

  const slashed = (path: string) => (platform === 'win32' ? path.replaceAll('\\', '/') : path);
  const rootPath = slashed(root);
  const watcher: FSWatcher = watch([], {
    ignored: (path) => (watchesTrees ? path !== rootPath : !folders.has(path)),
    ignoreInitial: true,
    atomic: false,
    followSymlinks: false,
    ...(!(watchesTrees && isRecursive) && { depth: 0 }),
  });

  // Otherwise chokidar stats every file of each folder, ignored or not, which costs as much as a first scan of ours.
  // This is a private method; a test fails if a later chokidar drops it.
  watcher.createScanStream = () => undefined;

  watcher.on('raw', (event, name, details) => {
    const { watchedPath } = details as { readonly watchedPath: string };
    const folder = folders.get(slashed(watchedPath));
    if (stopped || folder === undefined) return;
    // Without a name anything in the folder may have changed.
    const path = typeof name === 'string' && name !== '' ? joinPath(folder, name.replaceAll('/', sep)) : folder;
    onEvent({ path, isRename: event === 'rename' });
  });
  watcher.on('error', (error) => {
    if (stopped || isNotFound(error) || isForbidden(error)) return;
    if (errnoOf(error) === 'ENOSPC') onLoss('too-many-folders');
    else onLoss(isOutOfHandles(error) ? 'too-many-files' : 'lost');
  });

  function resolveAdded(): void {
    const all = addedListeners;
    addedListeners = [];
    for (const resolve of all) resolve();
  }

  function addSlice(): void {
    timer = undefined;
    const slice = waiting.splice(0, sliceSize).filter((path) => folders.has(path));
    if (slice.length > 0) watcher.add(slice);
    if (waiting.length > 0) timer = setTimeout(addSlice, sliceEveryMs);
    else resolveAdded();
  }

  function add(added: readonly string[]): void {
    if (stopped) return;
    for (const folder of added) {
      // chokidar treats a backslash as a separator on every system, so only rescans cover such a folder.
      if (platform !== 'win32' && folder.includes('\\')) continue;
      if (watchesTrees && folder !== '') continue;
      const path = slashed(onDisk(root, folder));
      if (folders.has(path)) continue;
      folders.set(path, folder);
      waiting.push(path);
    }
    if (waiting.length > 0) timer ??= setTimeout(addSlice, 0);
  }

  return {
    add,
    remove(removedFolders) {
      const paths = removedFolders
        .map((folder) => slashed(onDisk(root, folder)))
        .filter((path) => folders.delete(path));
      if (stopped || paths.length === 0) return;
      removed += paths.length;
      watcher.unwatch(paths);
      if (removed > maxRemoved) onLoss('lost');
    },
    covers: (folder) => watchesTrees || folders.has(slashed(join(root, folder))),
    whenAdded: () =>
      waiting.length === 0 || stopped
        ? Promise.resolve()
        : new Promise((resolve) => {
            addedListeners.push(resolve);
          }),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      folders.clear();
      resolveAdded();
      await watcher.close();
    },
  };
}

export const canaryPrefix = '.timbre-canary-';

interface CanaryDependencies {
  readonly root: string;
  /** Calls back with the path of each event of the root until the returned function is called. */
  readonly onEvent: (listener: (path: string) => void) => () => void;
  readonly signal: AbortSignal;
  readonly waitMs?: number;
}

/** An event takes milliseconds, but a busy event loop may deliver it a second later. */
const defaultWaitMs = 2000;
const rewriteMs = 250;

/**
 * Tests whether the disk reports changes at all: writes a hidden file and waits for its event. `silent` after two
 * seconds, or if no file can be written. Always deletes the file.
 */
export async function writeCanary({
  root,
  onEvent,
  signal,
  waitMs = defaultWaitMs,
}: CanaryDependencies): Promise<'reported' | 'silent'> {
  const name = `${canaryPrefix}${randomBytes(8).toString('hex')}`;
  const path = join(root, name);
  const outcome = Promise.withResolvers<'reported' | 'silent'>();
  const giveUp = () => outcome.resolve('silent');
  const unsubscribe = onEvent((changed) => {
    if (changed === name) outcome.resolve('reported');
  });
  const timer = setTimeout(giveUp, waitMs);
  // The subscription may only just take effect.
  const rewrite = setInterval(() => void writeFile(path, 'again').catch(giveUp), rewriteMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await writeFile(path, '', { flag: 'wx' });
    return await outcome.promise;
  } catch {
    return 'silent';
  } finally {
    unsubscribe();
    clearTimeout(timer);
    clearInterval(rewrite);
    signal.removeEventListener('abort', giveUp);
    await rm(path, { force: true }).catch(() => undefined);
  }
}
