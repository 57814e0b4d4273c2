import { open, type FileHandle } from 'node:fs/promises';

/** Random access to a file's bytes, or to bytes in memory. */
export interface ByteSource {
  /** Bytes in all. */
  readonly size: number;
  /** Up to `length` bytes from `position`; fewer at the end, none outside. */
  read(position: number, length: number): Promise<Uint8Array>;
}

/** What is known of a file that ends too early; sizes in bytes, times in seconds. */
export interface CutFacts {
  readonly promisedBytes?: number;
  readonly actualBytes?: number;
  readonly promisedSeconds?: number;
  readonly actualSeconds?: number;
}

/**
 * Why nobody can tell from a whole file whether its writer is done. `end`: the mark at its end is missing, or other bytes stand behind it.
 * `length`: its header leaves the length open, or names another one than there is.
 */
export type OpenEnd = 'end' | 'length';

/**
 * What a container says of itself.
 * - `complete`: all of it is there; `open` where it may still be going on. The length is told only where it is what will be decoded.
 * - `cut`: it promises more than there is, or its end is missing.
 * - `empty`: well-formed, without a frame of sound.
 * - `foreign`: not this container after all, or without a sound track.
 */
export type ContainerCheck =
  | { readonly kind: 'complete'; readonly durationSeconds?: number; readonly open?: OpenEnd }
  | { readonly kind: 'cut'; readonly facts: CutFacts }
  | { readonly kind: 'empty' }
  | { readonly kind: 'foreign' };

const longestRead = 16 * 1024 * 1024;

/** More than any look needs: beyond it a file was built to cost. */
const mostLookBytes = 64 * 1024 * 1024;
const mostLookReads = 4000;
const windowBytes = 64 * 1024;

/** A look at a file that would cost too much. Nothing that anybody recorded needs as much. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly';
}

/**
 * The same bytes for looks, which ask for a few at a time: small reads that follow each other are served from one of 64 KiB. Throws
 * `TooCostly` when more than any honest file needs was asked for.
 */
export function frugalSource(source: ByteSource): ByteSource {
  let window = new Uint8Array(0);
  let windowAt = 0;
  let reads = 0;
  let bytes = 0;
  const fetch = async (position: number, length: number) => {
    reads += 1;
    bytes += length;
    if (reads > mostLookReads || bytes > mostLookBytes) throw new TooCostly('this file would take too long to look at');
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

/** Bytes in memory as a source. */
export const bytesSource = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: (position, length) =>
    Promise.resolve(position < 0 || length <= 0 ? new Uint8Array(0) : bytes.subarray(position, position + length)),
});

/** An open file as a source; closing it is the caller's. */
export const fileSource = (file: FileHandle, size: number): ByteSource => ({
  size,
  async read(position, length) {
    const wanted = Math.min(length, size - position, longestRead);
    if (position < 0 || !(wanted > 0)) return new Uint8Array(0);
    const bytes = new Uint8Array(wanted);
    const { bytesRead } = await file.read(bytes, 0, wanted, position);
    return bytes.subarray(0, bytesRead);
  },
});

/** Opens a regular file as a source for the time of `use`. */
export async function withFileSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await use(fileSource(file, (await file.stat()).size));
  } finally {
    await file.close();
  }
}

/** A view for numbers of either byte order. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Four characters at `at`, empty where there are fewer. */
export const tagAt = (bytes: Uint8Array, at: number): string =>
  at + 4 > bytes.length ? '' : String.fromCharCode(...bytes.subarray(at, at + 4));
