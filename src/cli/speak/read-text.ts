import { createReadStream } from 'node:fs';
import { readText as readChunks } from '../../main/core/speech-draft.ts';
import { AppError } from '../../shared/errors.ts';
import type { Messages } from '../../shared/messages/index.ts';
import { ToldError } from '../usage-error.ts';

/** The text of a file, or of stdin where `path` is `-`. Throws `input/…`, told in terms of what was typed. */
export async function readText(
  path: string,
  { cli }: Messages,
  stdin: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const name = path === '-' ? 'stdin' : path;
  try {
    const text = await readChunks(path === '-' ? stdin : createReadStream(path));
    signal.throwIfAborted();
    return text;
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof AppError ? error.code : 'input/unreadable';
    if (code === 'input/text-too-long') throw new ToldError(code, cli.speak.tooLong(name));
    if (code === 'input/not-text') throw new ToldError(code, cli.speak.notUtf8(name));
    throw new ToldError('input/unreadable', cli.speak.noFile(name));
  }
}
