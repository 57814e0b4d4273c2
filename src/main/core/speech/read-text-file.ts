import { open } from 'node:fs/promises';
import { AppError } from '../../../shared/app-error.ts';

/** A long novel has some 3 MB. */
const maxBytes = 16 * 1024 ** 2;

async function readBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new AppError('input/text-too-long', `more than ${maxBytes} bytes of text`);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/**
 * Text as it comes from a file or a pipe. It has to be UTF-8; a mark at its beginning is no part of it. Throws `input/text-too-long`,
 * `input/not-text`, and what the source throws.
 */
export async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await readBytes(chunks);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('input/not-text', 'not UTF-8', { cause });
  }
}

/** The text of a file. Throws `input/unreadable` beside what `readText` throws. */
export async function readTextFile(path: string): Promise<string> {
  try {
    const file = await open(path);
    return await readText(file.createReadStream());
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('input/unreadable', `cannot read ${path}`, { cause });
  }
}
