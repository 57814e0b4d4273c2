import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { AppError } from '../../../shared/errors.ts';
import { listName, soundOf } from './archive-format.ts';

/** An exported history that is read. Names in an archive are compared and never used as paths. */
export interface HistoryArchive {
  /** It was exported with the results, as far as they were there. */
  readonly isWithSound: boolean;
  /** Of the list, unpacked. */
  readonly listBytes: number;
  /** The list, from its first byte. Throws where its bytes are not what they should be, at the latest behind the last of them. */
  list(): AsyncIterable<Buffer>;
  /** True where it says to hold this content, as long as that. Nobody has looked at its bytes. */
  hasSound(sha256: string, sizeBytes: number): boolean;
  /** To be read at once: it fails as soon as it finds that it is longer than it says. */
  sound(sha256: string): Promise<Readable>;
  close(): void;
}

const noSound = () => Promise.reject(new Error('no such sound'));

const zipSignature = 'PK';

const notAnExport = (path: string, cause?: unknown) =>
  new AppError('history/not-an-export', `${path} holds no history`, { cause, facts: { name: basename(path) } });

/** Sound that people have is not packed so tightly, and the archives of Timbre pack no sound at all. */
const mostUnpackedTimes = 200;
const mostUnpackedBytes = 1e9;

/** Only a regular file has an end: a pipe is waited for as long as it likes, and a device is read for ever. */
async function lookAt(path: string): Promise<{ readonly isZip: boolean; readonly bytes: number }> {
  const stats = await stat(path);
  const facts = { name: basename(path) };
  if (!stats.isFile()) throw new AppError('input/not-a-file', `${path} is no regular file`, { facts });
  // Some files of the system say that they are empty, and then wait for what is to be read.
  if (stats.size === 0) throw notAnExport(path);
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return { isZip: buffer.toString('latin1', 0, bytesRead) === zipSignature, bytes: stats.size };
  } finally {
    await file.close();
  }
}

async function* bytesOf(zip: yauzl.ZipFile, entry: yauzl.Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== entry.crc32) throw new Error(`${entry.fileName} has the checksum ${sum}, not ${entry.crc32}`);
}

function mustBeOfSound(path: string, packedBytes: number, unpackedBytes: number): void {
  if (unpackedBytes <= mostUnpackedBytes || unpackedBytes <= packedBytes * mostUnpackedTimes) return;
  const facts = { name: basename(path), bytes: unpackedBytes };
  throw new AppError('history/export-too-large', `${path} unpacks ${packedBytes} bytes to ${unpackedBytes}`, { facts });
}

async function openZip(path: string, packedBytes: number): Promise<HistoryArchive> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    let list: yauzl.Entry | undefined;
    const sounds = new Map<string, yauzl.Entry>();
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName === listName) list ??= entry;
      const sha256 = soundOf(entry.fileName);
      if (sha256 !== null) sounds.set(sha256, entry);
    }
    const found = list;
    if (!found) throw notAnExport(path);
    const soundBytes = [...sounds.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    mustBeOfSound(path, packedBytes, found.uncompressedSize + soundBytes);
    return {
      isWithSound: true,
      listBytes: found.uncompressedSize,
      list: () => bytesOf(zip, found),
      hasSound: (sha256, sizeBytes) => sounds.get(sha256)?.uncompressedSize === sizeBytes,
      sound(sha256) {
        const entry = sounds.get(sha256);
        return entry ? zip.openReadStreamPromise(entry) : noSound();
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/**
 * Opens a list or an archive. Throws `history/not-an-export`, `history/export-too-large`, `input/missing`, `input/not-a-file` and
 * `input/unreadable`.
 */
export async function openHistoryArchive(path: string): Promise<HistoryArchive> {
  let look;
  try {
    look = await lookAt(path);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const isGone = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const code = isGone ? 'input/missing' : 'input/unreadable';
    throw new AppError(code, `cannot read ${path}`, { cause, facts: { name: basename(path) } });
  }
  if (!look.isZip) {
    return {
      isWithSound: false,
      listBytes: look.bytes,
      list: () => createReadStream(path, { end: look.bytes - 1 }) as AsyncIterable<Buffer>,
      hasSound: () => false,
      sound: noSound,
      close: () => undefined,
    };
  }
  try {
    return await openZip(path, look.bytes);
  } catch (error) {
    throw error instanceof AppError ? error : notAnExport(path, error);
  }
}

/** A line that is longer than what anybody can mean. */
export const tooLong = Symbol('a line that is too long');

const lineEnd = 0x0a;

/** The lines of a stream, without their ends; of one that is too long only that. Memory does not grow with the stream. */
export async function* textLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<string | typeof tooLong> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  const hold = (part: Buffer) => {
    heldBytes += part.length;
    if (heldBytes <= maxLineBytes) held.push(part);
    else held = [];
  };
  const take = () => {
    const line = heldBytes > maxLineBytes ? tooLong : Buffer.concat(held).toString('utf8');
    held = [];
    heldBytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, start)) {
      hold(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    hold(chunk.subarray(start));
  }
  if (heldBytes > 0) yield take();
}
