import { constants } from 'node:fs';
import { open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from './system-code.ts';

// Windows has neither flag.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants as Readonly<Record<string, number | undefined>>;
const unfollowed = (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK;

async function openOnly(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, unfollowed);
  } catch (error) {
    if (systemCode(error) === 'ELOOP') return null;
    throw error;
  }
}

/**
 * Opens a file for reading that stands in the folder where it seems to stand: neither it nor a folder above it, below the root, may be
 * a link, even one that was put there a moment ago. Null where one was. A pipe with that name does not keep anybody waiting.
 */
export async function openUnfollowed(
  root: string,
  path: string,
  platform: NodeJS.Platform,
): Promise<FileHandle | null> {
  const file = await openOnly(join(root, path));
  if (!file) return null;
  try {
    const expected = join(await realpath(root), path);
    // Of the open file itself where the system can tell; else of its path, a moment later.
    const actual =
      platform === 'linux'
        ? await readlink(`/proc/self/fd/${file.fd}`)
        : join(await realpath(dirname(join(root, path))), basename(path));
    if (actual === expected) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return null;
}
