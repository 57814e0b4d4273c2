import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf, inFolder } from './output-error.ts';

/** A folder held open, so that nothing but the disk itself can stand between a new name and its `sync`. */
export interface OutputFolder {
  /** Makes the names in it survive a power cut, where the file system can do that for a folder. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Windows keeps names by its own journal and lets nobody open a folder. */
const withoutSync: OutputFolder = { sync: () => Promise.resolve(), close: () => Promise.resolve() };
/** A folder that may be written to but not read can't be opened; its names are as safe as the system keeps them. */
const notForUs = new Set(['EACCES', 'EPERM']);
const isFull = new Set(['ENOSPC', 'EDQUOT']);
const noFolderSync = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF']);

export async function openFolder(path: string): Promise<OutputFolder> {
  if (process.platform === 'win32') return withoutSync;
  try {
    const handle = await open(path, 'r');
    return {
      async sync() {
        try {
          await handle.sync();
        } catch (error) {
          if (!noFolderSync.has(codeOf(error) ?? '')) throw error;
        }
      },
      close: () => handle.close(),
    };
  } catch (error) {
    if (notForUs.has(codeOf(error) ?? '')) return withoutSync;
    throw error;
  }
}

/** Opens a folder, does `work`, closes it. */
export async function withFolder<T>(path: string, work: (folder: OutputFolder) => Promise<T>): Promise<T> {
  const folder = await openFolder(path);
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Makes what is missing of a path, the highest first, and returns it. Each level is tried twice at most: where a system answers ENOENT
 * for a folder whose parent is there, as in /proc, Node's own recursive mkdir tries for ever.
 */
async function makeMissing(path: string, mode: number): Promise<readonly string[]> {
  try {
    await mkdir(path, mode);
    return [path];
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) {
      if (await isFolder(path)) return [];
      throw error;
    }
  }
  const above = await makeMissing(dirname(path), mode);
  try {
    await mkdir(path, mode);
    return [...above, path];
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (await isFolder(path)) return above;
    throw error;
  }
}

/** Makes a folder and those above it. Each that is new has its name made safe too: a result in a lost folder is lost. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const made = await makeMissing(resolve(path), mode);
  for (const each of made.toReversed()) await withFolder(dirname(each), (parent) => parent.sync());
}

/**
 * Makes a folder and writes to it, so that whoever is about to pay knows that a result can be saved there. A disk that is full is no
 * fault of the folder: it may have room when the result comes. Throws `output/…`.
 */
export function mustTakeFiles(path: string): Promise<void> {
  const folder = resolve(path);
  return inFolder(folder, async () => {
    try {
      await makeFolder(folder);
      const name = join(folder, `.timbre-check-${randomUUID()}`);
      await writeFile(name, '', { flag: 'wx' });
      await rm(name, { force: true });
    } catch (error) {
      if (!isFull.has(codeOf(error) ?? '')) throw error;
    }
  });
}
