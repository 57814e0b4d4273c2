import { open } from 'node:fs/promises';
import { AppError } from '../../shared/app-error.ts';
import type { Messages } from '../../shared/messages/index.ts';
import { ToldError } from '../usage-error.ts';

/** A long novel has some 3 MB. */
const maxBytes = 16 * 1024 ** 2;

async function fileChunks(path: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path);
  return file.createReadStream();
}

async function readBytes(chunks: AsyncIterable<Uint8Array>, tooLong: () => Error): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLong();
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/**
 * The text of a file, or of stdin where `path` is `-`. It has to be UTF-8; a mark at its beginning is no part of it. Throws
 * `input/unreadable`, `input/text-too-long` and `input/text-empty`.
 */
export async function readText(
  path: string,
  { cli }: Messages,
  stdin: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const name = path === '-' ? 'stdin' : path;
  let bytes: Uint8Array;
  try {
    const chunks = path === '-' ? stdin : await fileChunks(path);
    bytes = await readBytes(chunks, () => new ToldError('input/text-too-long', cli.speak.tooLong(name)));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    throw new ToldError('input/unreadable', cli.speak.noFile(name));
  }
  signal.throwIfAborted();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ToldError('input/unreadable', cli.speak.notUtf8(name));
  }
}
