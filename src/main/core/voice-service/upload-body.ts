import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../../shared/errors.ts';
import { isNotFound } from '../files/errno.ts';

/** Large, because each read costs a trip to another thread and each write one to the system. */
const blockBytes = 1024 * 1024;
/** Used in turn: fresh memory for each block would cost a third of the time and 60 MB until it is collected. */
const blocks = 4;
/** On a slow line: so little that each chunk is taken within any stall timeout, which is how a dead line is told from a slow one. */
const leastBytes = 64 * 1024;
/** What a chunk may take so that the next one may be larger. Says nothing before so much has left as the system itself may hold. */
const quickMs = 100;
const heldBytes = 8 * 1024 * 1024;

/**
 * The first `sizeBytes` of a file in chunks as large as they are taken quickly, the next block being read meanwhile. Ends early
 * where the file does. A chunk is its taker's only until two megabytes more were asked for: a stream that heeds back-pressure, as
 * undici and sockets do, holds far less.
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

  let chunkBytes = leastBytes;
  let next = read();
  for (let block = await next; block.length > 0; block = await next) {
    position += block.length;
    next = block.length < blockBytes ? Promise.resolve(Buffer.alloc(0)) : read();
    // Whoever stops in the middle does not care for what comes next.
    next.catch(() => undefined);
    for (let at = 0; at < block.length;) {
      const chunk = block.subarray(at, at + chunkBytes);
      const offered = performance.now();
      yield chunk;
      at += chunk.length;
      const quick = position > heldBytes && performance.now() - offered < quickMs;
      chunkBytes = quick ? Math.min(2 * chunkBytes, blockBytes) : leastBytes;
    }
  }
}

/** What stands around the bytes of a recording that is sent as the last part of a form, `audioFile`. */
export interface AudioForm {
  readonly contentType: string;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** The escapes that browsers use in a part's header (HTML standard, multipart/form-data encoding). */
const escaped = (name: string): string => name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

/** `fields` are parts of text before the recording. */
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

/** Opens a recording to be sent. Throws `input/missing` and `input/unreadable`. */
export async function openSource(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const code = isNotFound(error) ? 'input/missing' : 'input/unreadable';
    throw new AppError(code, `cannot open ${path}`, { cause: error });
  }
}
