import { open, readFile } from 'node:fs/promises';
import { AppError } from '../../shared/errors.ts';
import { type KeptText, type TextPart, textParts } from '../../shared/schemas/speech.ts';
import type { Clock } from './clock.ts';
import { writePrivately } from './files/folders.ts';

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

/**
 * The text that a person writes, kept on disk as they write it, and the file that they opened last. Both cross the bridge in parts,
 * because a text may be a book.
 */
export interface SpeechDraft {
  /**
   * Keeps the draft once its last part is here; parts come in order, and part 0 begins anew. Rejects with `output/not-writable` where the
   * disk does not take it: it is kept in memory, and written as soon as that is possible.
   */
  keep(part: TextPart): Promise<void>;
  read(which: KeptText, part: number): Promise<TextPart>;
  /** Reads a file, to be asked for as `opened`. Throws `input/…`. */
  open(path: string): Promise<void>;
  /** The whole draft, as it was kept last. */
  draft(): Promise<string>;
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const retryMs = 2000;

/** `path` is where the draft is kept: a file that only this user may read. */
export function createSpeechDraft(path: string, { sleep }: Pick<Clock, 'sleep'>): SpeechDraft {
  let draft: Promise<string> | undefined;
  let opened = '';
  let parts: string[] = [];
  let latest = '';
  let writing: Promise<void> = Promise.resolve();

  async function stored(): Promise<string> {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return '';
      throw new AppError('input/unreadable', `cannot read ${path}`, { cause: error });
    }
  }

  /** One at a time, in order: the last text that was kept is the one on disk. */
  function write(text: string): Promise<void> {
    latest = text;
    writing = writing
      .catch(() => undefined)
      .then(() => writePrivately(path, Buffer.from(text, 'utf8')))
      .catch((cause: unknown) => {
        void sleep(retryMs).then(() => (text === latest ? write(text).catch(() => undefined) : undefined));
        throw new AppError('output/not-writable', `cannot write ${path}`, { cause });
      });
    return writing;
  }

  const whole = (): Promise<string> => {
    draft ??= stored().catch((error: unknown) => {
      draft = undefined;
      throw error;
    });
    return draft;
  };

  return {
    async keep({ part, parts: count, text }) {
      if (part === 0) parts = [];
      if (part !== parts.length) throw new AppError('request/invalid', `part ${part} after ${parts.length} of a text`);
      parts.push(text);
      if (parts.length < count) return;
      const all = parts.join('');
      parts = [];
      draft = Promise.resolve(all);
      await write(all);
    },
    async read(which, part) {
      const pieces = textParts(which === 'draft' ? await whole() : opened);
      const text = pieces[part];
      if (text === undefined) throw new AppError('request/invalid', `part ${part} of ${pieces.length} of a text`);
      return { part, parts: pieces.length, text };
    },
    async open(file) {
      opened = await readTextFile(file);
    },
    draft: whole,
  };
}
