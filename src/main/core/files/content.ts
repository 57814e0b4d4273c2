import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  open as openWithCallback,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AppError } from '../../../shared/errors.ts';
import { errnoOf } from './errno.ts';
import { type FileIdentity, isSameFile, type FileStamp } from './identity.ts';

// Windows has neither flag.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants as Readonly<Record<string, number | undefined>>;
const readFlags = (O_RDONLY ?? 0) | O_NONBLOCK;
const noFollowFlags = readFlags | O_NOFOLLOW;

function assertReadable(stats: Stats, path: string, acceptsPipe: boolean): void {
  if (stats.isFile() || (acceptsPipe && stats.isFIFO())) return;
  throw new AppError('input/not-a-file', `${path} is no regular file`, { facts: { name: basename(path) } });
}

// Checked before, because opening a device may act on it, and once it is open, because another file may have taken the
// name. O_NONBLOCK keeps the opening of a pipe from waiting for its writer.

/** Reads a small file of ours that the user may have replaced. Throws `input/not-a-file`, and system errors. */
export function readTextSync(path: string): string {
  assertReadable(statSync(path), path, false);
  const fd = openSync(path, readFlags);
  try {
    assertReadable(fstatSync(fd), path, false);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** Opens a file that a user named. Throws `input/not-a-file`, and system errors. */
export async function openFile(path: string): Promise<FileHandle> {
  assertReadable(await stat(path), path, false);
  const file = await open(path, readFlags);
  try {
    assertReadable(await file.stat(), path, false);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

const openDescriptor = promisify(openWithCallback);

/**
 * Reads a file that a user named. With a signal also a pipe, such as a shell’s `<(…)`, until its writer closes it or
 * the signal ends the wait; one that nothing writes to is empty. Throws `input/not-a-file`, and system errors.
 */
export async function* readChunks(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  assertReadable(await stat(path), path, signal !== undefined);
  const fd = await openDescriptor(path, readFlags);
  const stats = fstatSync(fd);
  const isPipe = signal !== undefined && stats.isFIFO();
  // A file stream would hold a thread of the pool until the pipe's writer writes.
  const stream = isPipe
    ? addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }))
    : createReadStream(path, { fd });
  // The iteration throws it; an abort before that would be an unhandled error.
  stream.on('error', () => undefined);
  try {
    assertReadable(stats, path, isPipe);
    const first = isPipe ? readWaiting(fd) : null;
    if (first) yield first;
    if (first?.length !== 0) yield* stream as AsyncIterable<Buffer>;
  } finally {
    stream.destroy();
  }
}

/** Reads a file like `readChunks`, as UTF-8; null if it has more than `maxBytes`. */
export async function readSmallText(path: string, maxBytes: number, signal?: AbortSignal): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(path, signal)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns what waits in a pipe: nothing if it has no writer, null if its writer has yet to write. */
function readWaiting(fd: number): Buffer | null {
  const chunk = Buffer.alloc(64 * 1024);
  try {
    return chunk.subarray(0, readSync(fd, chunk));
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return null;
    throw error;
  }
}

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
 * Reads a file and returns its SHA-256 as hex, or null if it is not a regular file of `sizeBytes` or changes while it is
 * read. `onChunk` must not keep the chunk, which is used again. Does not follow a link or block on a pipe. Rejects with
 * system errors (`ELOOP` for a link) and with the signal's reason.
 */
export async function readHashed(
  path: string,
  sizeBytes: number,
  signal: AbortSignal,
  onChunk: (chunk: Buffer) => Promise<void>,
): Promise<string | null> {
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
      await onChunk(chunk.subarray(0, bytesRead));
      position += bytesRead;
    }
    const statAfter = await file.stat({ bigint: true });
    return statAfter.size === statBefore.size && statAfter.mtimeNs === statBefore.mtimeNs ? hash.digest('hex') : null;
  } finally {
    await file.close();
  }
}

/** Returns the SHA-256 of a file like `readHashed`. */
export const contentHash = (path: string, sizeBytes: number, signal: AbortSignal): Promise<string | null> =>
  readHashed(path, sizeBytes, signal, () => nextTurn());

/** Like `contentHash`, but null for a file that cannot be read. Rejects only with the signal's reason. */
export const tryContentHash: typeof contentHash = (path, sizeBytes, signal) =>
  contentHash(path, sizeBytes, signal).catch(() => {
    signal.throwIfAborted();
    return null;
  });

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
