import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../../shared/errors.ts';
import { isNotFound, isOutOfHandles } from '../files/errno.ts';

/** Large, because each read costs a thread hop and each write a system call. */
const blockBytes = 1024 * 1024;
/** Buffers are reused in turn: new ones per block would take a third more time, and 60 MB until they are collected. */
const blocks = 4;
/** Chunk size on a slow connection: small enough to be sent within any stall timeout. */
const minChunkBytes = 64 * 1024;
/** If a chunk is accepted faster than this, the next one is larger. Only measured once the socket buffers must be full. */
const quickMs = 100;
const bufferedBytes = 8 * 1024 * 1024;

/**
 * Yields the first `sizeBytes` of a file while reading the next block; fewer if the file is shorter. Chunks grow
 * while the consumer is quick. A chunk's memory is reused once the consumer has requested another two megabytes;
 * streams with back-pressure, such as undici's and sockets, hold far less.
 */
export async function* readAhead(file: FileHandle, sizeBytes: number): AsyncGenerator<Buffer> {
  const ring = Array.from({ length: Math.min(blocks, Math.ceil(sizeBytes / blockBytes)) }, () =>
    Buffer.allocUnsafeSlow(Math.min(blockBytes, sizeBytes)),
  );
  let position = 0;
  const read = async (): Promise<Buffer> => {
    const block = ring[(position / blockBytes) % blocks];
    const length = Math.min(blockBytes, sizeBytes - position);
    if (!block || length === 0) return Buffer.alloc(0);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(block, filled, length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return block.subarray(0, filled);
  };

  let chunkBytes = minChunkBytes;
  let next = read();
  for (let block = await next; block.length > 0; block = await next) {
    position += block.length;
    next = block.length < blockBytes ? Promise.resolve(Buffer.alloc(0)) : read();
    // If the consumer stops early, nothing awaits this read.
    next.catch(() => undefined);
    for (let at = 0; at < block.length;) {
      const chunk = block.subarray(at, at + chunkBytes);
      const offered = performance.now();
      yield chunk;
      at += chunk.length;
      const quick = position > bufferedBytes && performance.now() - offered < quickMs;
      chunkBytes = quick ? Math.min(2 * chunkBytes, blockBytes) : minChunkBytes;
    }
  }
}

/** A multipart form around a recording, which is its last part, `audioFile`. */
export interface AudioForm {
  readonly contentType: string;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Escapes a part's name as browsers do (HTML standard, multipart/form-data encoding). */
const escaped = (name: string): string => name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

/** `fields` become text parts before the recording. */
export function audioForm({
  fileName,
  fields = {},
}: {
  readonly fileName: string;
  readonly fields?: Readonly<Record<string, string>>;
}): AudioForm {
  const boundary = `timbre-${randomBytes(18).toString('hex')}`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(
      `${texts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="audioFile"; filename="${escaped(fileName)}"\r\n` +
        'content-type: application/octet-stream\r\n\r\n',
    ),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

/** Opens a recording for upload. Throws `input/missing`, `input/unreadable` or `system/too-many-files`. */
export async function openForUpload(path: string): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK, opening a pipe that took the file's name would wait for its writer forever.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const isShortage = isOutOfHandles(error);
    const code = isShortage ? 'system/too-many-files' : isNotFound(error) ? 'input/missing' : 'input/unreadable';
    throw new AppError(code, `cannot open ${path}`, { cause: error });
  }
}
