import { open, type FileHandle } from 'node:fs/promises';

/** Random access to a file's bytes, or to bytes in memory. */
export interface ByteSource {
  /** Total size in bytes. */
  readonly size: number;
  /** Reads up to `length` bytes from `position`: fewer at the end, none outside the file. */
  read(position: number, length: number): Promise<Uint8Array>;
}

/** Facts about a truncated file; sizes in bytes, times in seconds. */
export interface CutFacts {
  readonly promisedBytes?: number;
  readonly actualBytes?: number;
  readonly promisedSeconds?: number;
  readonly actualSeconds?: number;
}

/**
 * Why a complete file may still be growing. `end`: its end mark is missing, or other bytes follow
 * it. `length`: its header leaves the length open, or states another than the actual one.
 */
export type OpenEnd = 'end' | 'length';

/**
 * The result of checking a container.
 * - `complete`: nothing is missing; `open` if it may still be growing. The duration is given only if
 *   decoding will yield it. `unsupportedCodec` is the name of a coding that our decoders do not read.
 * - `cut`: its header states more than there is, or its end is missing.
 * - `empty`: well-formed, without any audio frame.
 * - `foreign`: not this container after all, or without an audio track.
 */
export type ContainerCheck =
  | {
      readonly kind: 'complete';
      readonly durationSeconds?: number;
      readonly open?: OpenEnd;
      readonly unsupportedCodec?: string;
    }
  | { readonly kind: 'cut'; readonly facts: CutFacts }
  | { readonly kind: 'empty' }
  | { readonly kind: 'foreign' };

/** Below 1 Hz nothing is sound, and resampling would never end. */
export const isSampleRate = (rate: number): boolean => rate >= 1 && Number.isFinite(rate);

const maxReadBytes = 16 * 1024 * 1024;

/** No real file needs more; one that does was crafted to be expensive. */
const maxCheckBytes = 64 * 1024 * 1024;
const maxCheckReads = 4000;
const windowBytes = 64 * 1024;

/** Thrown when checking a file would cost too much. No real recording does. */
export class TooCostlyError extends Error {
  override readonly name = 'TooCostlyError';
}

/**
 * Wraps a source for checks, which read a few bytes at a time: small sequential reads are served
 * from a window of 64 KiB. Throws `TooCostlyError` when more is read than any real file needs.
 */
export function limitedSource(source: ByteSource): ByteSource {
  let window = new Uint8Array(0);
  let windowAt = 0;
  let reads = 0;
  let bytes = 0;
  const fetch = async (position: number, length: number) => {
    reads += 1;
    bytes += length;
    if (reads > maxCheckReads || bytes > maxCheckBytes)
      throw new TooCostlyError('this file would take too long to look at');
    return source.read(position, length);
  };
  return {
    size: source.size,
    async read(position, length) {
      if (length > windowBytes / 2) return fetch(position, length);
      if (position < windowAt || position + length > windowAt + window.length) {
        window = (await fetch(position, windowBytes)) as Uint8Array<ArrayBuffer>;
        windowAt = position;
      }
      return window.subarray(position - windowAt, position - windowAt + length);
    },
  };
}

/** Creates a source from bytes in memory. */
export const bytesSource = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: (position, length) =>
    Promise.resolve(position < 0 || length <= 0 ? new Uint8Array(0) : bytes.subarray(position, position + length)),
});

/** Creates a source from an open file. The caller closes the file. */
export const fileSource = (file: FileHandle, size: number): ByteSource => ({
  size,
  async read(position, length) {
    const count = Math.min(length, size - position, maxReadBytes);
    if (position < 0 || !(count > 0)) return new Uint8Array(0);
    const bytes = new Uint8Array(count);
    const { bytesRead } = await file.read(bytes, 0, count, position);
    return bytes.subarray(0, bytesRead);
  },
});

/** Opens a regular file as a source while `use` runs. */
export async function withFileSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await use(fileSource(file, (await file.stat()).size));
  } finally {
    await file.close();
  }
}

/** Creates a view, which reads numbers in either byte order. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Returns the four characters at `at`, or an empty string if there are fewer. */
export const tagAt = (bytes: Uint8Array, at: number): string =>
  at + 4 > bytes.length ? '' : String.fromCharCode(...bytes.subarray(at, at + 4));
