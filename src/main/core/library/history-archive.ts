import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { AppError } from '../../../shared/app-error.ts';
import { listName, soundOf } from './history-line.ts';

/** An exported history that is read. Names in an archive are compared and never used as paths. */
export interface HistoryArchive {
  /** It was exported with the results, as far as they were there. */
  readonly isWithSound: boolean;
  /** Of the list, unpacked. */
  readonly listBytes: number;
  /** The list, from its first byte. */
  list(): Promise<Readable>;
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

async function lookAt(path: string): Promise<{ readonly isZip: boolean; readonly bytes: number }> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    const { size } = await file.stat();
    return { isZip: buffer.toString('latin1', 0, bytesRead) === zipSignature, bytes: size };
  } finally {
    await file.close();
  }
}

async function openZip(path: string): Promise<HistoryArchive> {
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
    return {
      isWithSound: true,
      listBytes: found.uncompressedSize,
      list: () => zip.openReadStreamPromise(found),
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

/** Opens a list or an archive. Throws `history/not-an-export`, `input/missing` and `input/unreadable`. */
export async function openHistoryArchive(path: string): Promise<HistoryArchive> {
  let look;
  try {
    look = await lookAt(path);
  } catch (cause) {
    const isGone = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const code = isGone ? 'input/missing' : 'input/unreadable';
    throw new AppError(code, `cannot read ${path}`, { cause, facts: { name: basename(path) } });
  }
  if (!look.isZip) {
    return {
      isWithSound: false,
      listBytes: look.bytes,
      list: () => Promise.resolve(createReadStream(path)),
      hasSound: () => false,
      sound: noSound,
      close: () => undefined,
    };
  }
  try {
    return await openZip(path);
  } catch (error) {
    throw error instanceof AppError ? error : notAnExport(path, error);
  }
}
