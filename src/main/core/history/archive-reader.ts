import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import yauzl from 'yauzl';
import { AppError } from '../../../shared/errors.ts';
import { openFile } from '../files/content.ts';
import { isNotFound } from '../files/errno.ts';
import { listName, soundOf } from './archive-format.ts';

/** An exported history opened for reading. Names in an archive are compared and never used as paths. */
export interface HistoryArchive {
  /** Exported as an archive, with the results that existed. */
  readonly hasAudio: boolean;
  /** Uncompressed size of the list. */
  readonly listBytes: number;
  /** Streams the list from its start. Throws on a wrong checksum, at the latest after the last byte. */
  list(): AsyncIterable<Buffer>;
  /** True if the directory lists this content with this size; the data itself is not checked. */
  hasAudioFile(sha256: string, sizeBytes: number): boolean;
  /** The stream must be read immediately; it fails as soon as the data exceeds its declared size. */
  openAudio(sha256: string): Promise<Readable>;
  close(): void;
}

const noSound = () => Promise.reject(new Error('no such sound'));

const zipSignature = 'PK';

const notAnExport = (path: string, cause?: unknown) =>
  new AppError('history/not-an-export', `${path} holds no history`, { cause, facts: { name: basename(path) } });

/** Limits against zip bombs: audio compresses far less, and Timbre stores it uncompressed. */
const maxUnpackRatio = 200;
const maxUnpackedBytes = 1e9;

async function inspect(path: string): Promise<{ readonly isZip: boolean; readonly bytes: number }> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    // Some special files report size 0 and block when read.
    if (size === 0) throw notAnExport(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return { isZip: buffer.toString('latin1', 0, bytesRead) === zipSignature, bytes: size };
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

const isPlausibleSize = (packedBytes: number, unpackedBytes: number): boolean =>
  unpackedBytes <= maxUnpackedBytes || unpackedBytes <= packedBytes * maxUnpackRatio;

function assertPlausibleSize(path: string, packedBytes: number, unpackedBytes: number): void {
  if (isPlausibleSize(packedBytes, unpackedBytes)) return;
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
    assertPlausibleSize(path, packedBytes, found.uncompressedSize + soundBytes);
    return {
      hasAudio: true,
      listBytes: found.uncompressedSize,
      list: () => bytesOf(zip, found),
      hasAudioFile: (sha256, sizeBytes) => sounds.get(sha256)?.uncompressedSize === sizeBytes,
      openAudio(sha256) {
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

/** Of the record in front of an entry: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.7. */
const recordBytes = 30;
const recordSignature = 0x04034b50;
const deflated = 8;

/** Where the data of the list begins, which is the first entry of an export. Undefined for another archive. */
async function findFirstList(path: string): Promise<number | undefined> {
  await using file = await openFile(path);
  const { buffer } = await file.read(Buffer.alloc(recordBytes + listName.length), 0);
  const [nameBytes, extraBytes] = [buffer.readUInt16LE(26), buffer.readUInt16LE(28)];
  const name = buffer.toString('latin1', recordBytes, recordBytes + nameBytes);
  const isList = buffer.readUInt32LE(0) === recordSignature && buffer.readUInt16LE(8) === deflated && name === listName;
  return isList ? recordBytes + nameBytes + extraBytes : undefined;
}

/** An archive without its directory, which is at its end: of one that was cut short, the list can still be read. */
async function openCutZip(path: string, packedBytes: number, cause: unknown): Promise<HistoryArchive> {
  const start = await findFirstList(path);
  if (start === undefined) throw notAnExport(path, cause);
  return {
    hasAudio: true,
    listBytes: packedBytes,
    async *list() {
      const packed = createReadStream(path, { start });
      const unpacked = createInflateRaw();
      // An error of one is also an error of the other, which the loop throws.
      pipeline(packed, unpacked, () => undefined);
      let bytes = 0;
      try {
        for await (const chunk of unpacked as AsyncIterable<Buffer>) {
          bytes += chunk.length;
          if (!isPlausibleSize(packedBytes, bytes)) break;
          yield chunk;
        }
      } finally {
        // What follows the list is not read.
        packed.destroy();
      }
      throw new Error(`${path} has no directory`, { cause });
    },
    hasAudioFile: () => false,
    openAudio: noSound,
    close: () => undefined,
  };
}

/**
 * Opens a list or an archive. Throws `history/not-an-export`, `history/export-too-large`,
 * `input/missing`, `input/not-a-file` and `input/unreadable`.
 */
export async function openHistoryArchive(path: string): Promise<HistoryArchive> {
  let header;
  try {
    header = await inspect(path);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const code = isNotFound(cause) ? 'input/missing' : 'input/unreadable';
    throw new AppError(code, `cannot read ${path}`, { cause, facts: { name: basename(path) } });
  }
  if (!header.isZip) {
    return {
      hasAudio: false,
      listBytes: header.bytes,
      list: () => createReadStream(path, { end: header.bytes - 1 }) as AsyncIterable<Buffer>,
      hasAudioFile: () => false,
      openAudio: noSound,
      close: () => undefined,
    };
  }
  try {
    return await openZip(path, header.bytes);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return openCutZip(path, header.bytes, error);
  }
}
