import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { formatOfExtension, type InputFormat } from '../../../shared/input-formats.ts';
import type { Clock } from '../clock.ts';
import { answersWithinMs } from '../files/attendance.ts';
import { createDiskQueries } from '../files/disk-queries.ts';

/** The bytes to send, both ends inclusive. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a `Range` header (RFC 9110, 14.1): one range, `unsatisfiable` for one outside the file, or
 * null to send the whole file. Several ranges get the whole file, which the RFC allows.
 */
function byteRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return null;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

const chunkBytes = 256 * 1024;

type Sleeper = Pick<Clock, 'sleep'>;

/** Settles as `reading` does, or rejects if the disk does not answer. */
async function inTime<T>(reading: Promise<T>, clock: Sleeper): Promise<T> {
  const answered = new AbortController();
  const late = clock.sleep(answersWithinMs, answered.signal).then(() => {
    throw new Error('the disk does not answer');
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([reading, late]);
  } finally {
    answered.abort();
  }
}

const mediaTypes: Readonly<Record<InputFormat, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  webm: 'audio/webm',
  aiff: 'audio/aiff',
  caf: 'audio/x-caf',
  amr: 'audio/amr',
  wma: 'audio/x-ms-wma',
  spx: 'audio/ogg',
};

function mediaTypeAt(path: string): string {
  const format = formatOfExtension(extname(path).slice(1).toLowerCase());
  return format === null ? 'application/octet-stream' : mediaTypes[format];
}

/** A pull stream over part of a file. Closes the file at the end, on an error, or on cancel. */
function fileStream(file: FileHandle, { first, last }: ByteRange, clock: Sleeper): ReadableStream<Uint8Array> {
  let position = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const length = Math.min(chunkBytes, last - position + 1);
          const reading = file.read(Buffer.allocUnsafe(length), 0, length, position);
          const { bytesRead, buffer } = await inTime(reading, clock);
          position += bytesRead;
          if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
          if (bytesRead === 0 || position > last) {
            await file.close();
            controller.close();
          }
        } catch (error) {
          controller.error(error);
          // Waits for what the disk has not answered.
          await file.close().catch(() => undefined);
        }
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}

interface OpenedFile {
  readonly file: FileHandle;
  readonly size: number;
}

async function openRegularFile(path: string): Promise<OpenedFile | undefined> {
  let file: FileHandle | undefined;
  try {
    // Avoids blocking if the path has become a pipe. Undefined on Windows, where `|` treats it as 0.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (stats.isFile()) return { file, size: stats.size };
  } catch {
    // Missing or unreadable; the handle, if there is one, is closed below.
  }
  await file?.close();
  return undefined;
}

/** Serves a file as a stream, whole or by byte range; 404 if it is undefined, no file, or on a disk that does not answer. */
export type ServeMedia = (path: string | undefined, request: Request) => Promise<Response>;

/** Electron's own file loader ignores ranges, which would make seeking impossible. */
export function createServeMedia(clock: Sleeper): ServeMedia {
  const disks = createDiskQueries({ clock, platform: process.platform, answersWithinMs });

  async function openInTime(path: string): Promise<OpenedFile | undefined> {
    let opening: Promise<OpenedFile | undefined> | undefined;
    const opened = await disks.query(path, () => (opening = openRegularFile(path)));
    if (!opened) opening?.then((late) => late?.file.close()).catch(() => undefined);
    return opened;
  }

  return async (path, request) => {
    const opened = path === undefined ? undefined : await openInTime(path);
    if (path === undefined || !opened) return new Response(null, { status: 404 });
    const { file, size } = opened;

    const headers = new Headers({
      'content-type': mediaTypeAt(path),
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
    });
    const range = byteRange(request.headers.get('range'), size);
    if (range === 'unsatisfiable') {
      await file.close();
      headers.set('content-range', `bytes */${size}`);
      return new Response(null, { status: 416, headers });
    }
    const { first, last } = range ?? { first: 0, last: size - 1 };
    headers.set('content-length', String(last - first + 1));
    if (range) headers.set('content-range', `bytes ${first}-${last}/${size}`);
    const status = range ? 206 : 200;
    if (request.method === 'HEAD' || size === 0) {
      await file.close();
      return new Response(null, { status, headers });
    }
    return new Response(fileStream(file, { first, last }, clock), { status, headers });
  };
}
