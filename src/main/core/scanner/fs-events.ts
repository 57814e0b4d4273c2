import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { isForbidden, isNotFound, isOutOfHandles, systemCode } from '../files/errno.ts';
import { joinPath, onDisk } from './file-index.ts';

/** Something may have happened at a path (relative to the root). `isRename`: a name came or went there. */
export interface FsEvent {
  readonly path: string;
  readonly isRename: boolean;
}

/** Why there are no hints, or not all of them. */
export type EventLoss =
  /** The system watches no more folders for this person. */
  | 'too-many-folders'
  | 'too-many-files'
  /** Some may have been lost: look over everything. */
  | 'lost';

/** Where hints come from. Begun by `createFsEvents`; after `stop` none comes. */
export interface FsEvents {
  /** Folders (relative) that are to be listened to. On systems that watch whole trees nothing has to be added. */
  add(folders: readonly string[]): void;
  remove(folders: readonly string[]): void;
  /** Listens to a folder, or will in a moment. */
  covers(folder: string): boolean;
  /** Resolves when all folders that were added are handed over. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly root: string;
  readonly isRecursive: boolean;
  readonly platform: NodeJS.Platform;
  readonly onHint: (hint: FsEvent) => void;
  readonly onTrouble: (trouble: EventLoss) => void;
}

/** So many folders at once keep the loop for a few milliseconds. */
const sliceSize = 50;
const sliceEveryMs = 4;
/** chokidar keeps a line about each folder that it was told to leave, and goes through all of them for each event. */
const mostRemoved = 1000;

/**
 * chokidar as a source of hints and nothing else: its raw events, which come before any of its own book-keeping. Everything but the
 * folders is ignored there. It is given our folders one by one and no depth.
 */
export function createFsEvents({ root, isRecursive, platform, onHint, onTrouble }: Dependencies): FsEvents {
  const watchesTrees = platform === 'darwin' || platform === 'win32';
  /** Path on the disk, as chokidar writes it, to the relative one. */
  const folders = new Map<string, string>();
  const waiting: string[] = [];
  let whenSettled: (() => void)[] = [];
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

  // It would list each folder and look at every file in it, ignored or not: as much work as a first look of ours. Where there is nothing
  // to list, it goes on without. Not for the public: a test sees to it that a later chokidar has it still.
  watcher.createScanStream = () => undefined;

  watcher.on('raw', (event, name, details) => {
    const { watchedPath } = details as { readonly watchedPath: string };
    const folder = folders.get(slashed(watchedPath));
    if (stopped || folder === undefined) return;
    // Without a name it is the folder itself, of which anything may have changed.
    const path = typeof name === 'string' && name !== '' ? joinPath(folder, name.replaceAll('/', sep)) : folder;
    onHint({ path, isRename: event === 'rename' });
  });
  watcher.on('error', (error) => {
    if (stopped || isNotFound(error) || isForbidden(error)) return;
    if (systemCode(error) === 'ENOSPC') onTrouble('too-many-folders');
    else onTrouble(isOutOfHandles(error) ? 'too-many-files' : 'lost');
  });

  function settle(): void {
    const all = whenSettled;
    whenSettled = [];
    for (const resolve of all) resolve();
  }

  function addSlice(): void {
    timer = undefined;
    const slice = waiting.splice(0, sliceSize).filter((path) => folders.has(path));
    if (slice.length > 0) watcher.add(slice);
    if (waiting.length > 0) timer = setTimeout(addSlice, sliceEveryMs);
    else settle();
  }

  function add(added: readonly string[]): void {
    if (stopped) return;
    for (const folder of added) {
      // chokidar takes a backslash for a separator on every system: such a folder is left to the rescans.
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
    remove(gone) {
      const paths = gone.map((folder) => slashed(onDisk(root, folder))).filter((path) => folders.delete(path));
      if (stopped || paths.length === 0) return;
      removed += paths.length;
      watcher.unwatch(paths);
      if (removed > mostRemoved) onTrouble('lost');
    },
    covers: (folder) => watchesTrees || folders.has(slashed(join(root, folder))),
    settled: () =>
      waiting.length === 0 || stopped
        ? Promise.resolve()
        : new Promise((resolve) => {
            whenSettled.push(resolve);
          }),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      folders.clear();
      settle();
      await watcher.close();
    },
  };
}

export const canaryPrefix = '.timbre-canary-';

interface CanaryDependencies {
  readonly root: string;
  /** Calls back with each hint of the root until the returned function is called. */
  readonly onHint: (listener: (path: string) => void) => () => void;
  readonly signal: AbortSignal;
  readonly waitMs?: number;
}

/** An event takes milliseconds; a loop under load may take a second to tell it. */
const defaultWaitMs = 2000;
const againMs = 250;

/**
 * Writes a file that nobody sees and waits to be told of it: does this disk tell anything at all? `silent` after two seconds, and where
 * none can be written, because then nobody knows. The file is removed in any case.
 */
export async function writeCanary({
  root,
  onHint,
  signal,
  waitMs = defaultWaitMs,
}: CanaryDependencies): Promise<'heard' | 'silent'> {
  const name = `${canaryPrefix}${randomBytes(8).toString('hex')}`;
  const path = join(root, name);
  const heard = Promise.withResolvers<'heard' | 'silent'>();
  const giveUp = () => heard.resolve('silent');
  const forget = onHint((hinted) => {
    if (hinted === name) heard.resolve('heard');
  });
  const timer = setTimeout(giveUp, waitMs);
  // Whatever listens may begin to do so only now.
  const again = setInterval(() => void writeFile(path, 'again').catch(giveUp), againMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await writeFile(path, '', { flag: 'wx' });
    return await heard.promise;
  } catch {
    return 'silent';
  } finally {
    forget();
    clearTimeout(timer);
    clearInterval(again);
    signal.removeEventListener('abort', giveUp);
    await rm(path, { force: true }).catch(() => undefined);
  }
}
