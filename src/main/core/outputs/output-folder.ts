import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './output-error.ts';

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

/** Makes a folder and those above it. Each that is new has its name made safe too: a result in a lost folder is lost. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    await withFolder(dirname(made), (parent) => parent.sync());
    if (made === first || made === dirname(made)) return;
  }
}
