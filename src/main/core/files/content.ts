import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errnoOf } from './errno.ts';
import { type FileIdentity, isSameFile, type FileStamp } from './identity.ts';

// Windows has neither flag.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants as Readonly<Record<string, number | undefined>>;
const noFollowFlags = (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK;

async function openUnlessLink(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, noFollowFlags);
  } catch (error) {
    if (errnoOf(error) === 'ELOOP') return null;
    throw error;
  }
}

/**
 * Opens a file for reading. Returns null if it, or a folder above it below the root, is a link, even
 * one that was created a moment ago. Does not block on a pipe.
 */
export async function openNoFollow(root: string, path: string, platform: NodeJS.Platform): Promise<FileHandle | null> {
  const file = await openUnlessLink(join(root, path));
  if (!file) return null;
  try {
    const expected = join(await realpath(root), path);
    // On Linux checks the open file itself; elsewhere its path, a moment later.
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
 * Returns the SHA-256 of a file as hex, or null if it is not a regular file of `sizeBytes` or
 * changes while it is read. Does not follow a link or block on a pipe. Rejects with system errors
 * (`ELOOP` for a link) and with the signal's reason.
 */
export async function contentHash(path: string, sizeBytes: number, signal: AbortSignal): Promise<string | null> {
  const file = await open(path, noFollowFlags);
  try {
    const statBefore = await file.stat({ bigint: true });
    if (!statBefore.isFile() || Number(statBefore.size) !== sizeBytes) return null;
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
    const statAfter = await file.stat({ bigint: true });
    return statAfter.size === statBefore.size && statAfter.mtimeNs === statBefore.mtimeNs ? hash.digest('hex') : null;
  } finally {
    await file.close();
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** A result that is completely on disk, under its temporary or its final name. */
export interface FinishedOutput {
  /** Hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly identity: FileIdentity;
}

/**
 * True if the file has the size and content of the finished output. Reads the whole file only if the
 * size matches.
 */
export const hasSameContent = async (
  path: string,
  { sizeBytes }: Pick<FileStamp, 'sizeBytes'>,
  finished: Omit<FinishedOutput, 'identity'>,
): Promise<boolean> => sizeBytes === finished.sizeBytes && (await sha256Of(path)) === finished.sha256;

/**
 * True if a temporary file is still the finished one. Falls back to its content, because a device
 * number may change with a restart and some file systems make up inode numbers.
 */
export const isFinishedFile = async (path: string, stamp: FileStamp, finished: FinishedOutput): Promise<boolean> =>
  stamp.isFile &&
  stamp.sizeBytes === finished.sizeBytes &&
  (isSameFile(stamp.identity, finished.identity) || (await hasSameContent(path, stamp, finished)));
