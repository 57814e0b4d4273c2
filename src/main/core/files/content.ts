import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemCode } from './errno.ts';
import { isSameFile, type Standing } from './identity.ts';
import type { FinishedOutput } from './pending-output.ts';

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
export async function openNoFollow(root: string, path: string, platform: NodeJS.Platform): Promise<FileHandle | null> {
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

const chunkBytes = 1024 * 1024;

/**
 * SHA-256 of a file, as hex; null where it is no plain file of `sizeBytes`, or did not stay one while it was read. A link is not
 * followed, and a pipe keeps nobody waiting. Rejects as the system does (`ELOOP` for a link), and with the signal's reason.
 */
export async function contentHash(path: string, sizeBytes: number, signal: AbortSignal): Promise<string | null> {
  const file = await open(path, unfollowed);
  try {
    const before = await file.stat({ bigint: true });
    if (!before.isFile() || Number(before.size) !== sizeBytes) return null;
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, sizeBytes + 1));
    for (let position = 0; ;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      position += bytesRead;
      await nextTurn();
    }
    const after = await file.stat({ bigint: true });
    return after.size === before.size && after.mtimeNs === before.mtimeNs ? hash.digest('hex') : null;
  } finally {
    await file.close();
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Whether the file has the size and the content of what was finished. Reads all of it, where the size is right. */
export const hasContentOf = async (
  path: string,
  { sizeBytes }: Pick<Standing, 'sizeBytes'>,
  finished: Omit<FinishedOutput, 'identity'>,
): Promise<boolean> => sizeBytes === finished.sizeBytes && (await sha256Of(path)) === finished.sha256;

/**
 * Whether a temporary file is still the one that was finished. A device may have another number since the machine was started, and
 * some file systems make inode numbers up: then content tells.
 */
export const isWhole = async (path: string, standing: Standing, finished: FinishedOutput): Promise<boolean> =>
  standing.isFile &&
  standing.sizeBytes === finished.sizeBytes &&
  (isSameFile(standing.identity, finished.identity) || (await hasContentOf(path, standing, finished)));
