import { readFile } from 'node:fs/promises';
import { AppError } from '../../../shared/errors.ts';
import type { KeptText, TextPart } from '../../../shared/schemas/speech.ts';
import { createSerializer } from '../../../shared/serializer.ts';
import { textParts } from '../../../shared/text/text-parts.ts';
import type { Clock } from '../clock.ts';
import { isNotFound } from '../files/errno.ts';
import { writePrivateFile } from '../files/private-file.ts';

/**
 * The text that the user is writing, saved to disk as they type, and the text file they opened last. Both cross
 * IPC in parts, because a text may be a book.
 */
export interface SpeechDraft {
  /**
   * Saves the draft once its last part arrives. Parts arrive in order; part 0 starts over. Rejects with
   * `data/not-writable` if it cannot be written; it stays in memory and is written as soon as possible.
   */
  save(part: TextPart): Promise<void>;
  readPart(which: KeptText, part: number): Promise<TextPart>;
  /** Sets the text that `readPart` returns as `opened`. */
  setOpened(text: string): void;
  /** The whole draft, as last saved. */
  read(): Promise<string>;
}

const retryMs = 2000;

/** `path` is the draft's file, which only this user can read. */
export function createSpeechDraft(path: string, { sleep }: Pick<Clock, 'sleep'>): SpeechDraft {
  let draft: Promise<string> | undefined;
  let opened = '';
  let parts: string[] = [];
  let latest = '';
  const serialized = createSerializer();

  async function stored(): Promise<string> {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if (isNotFound(error)) return '';
      throw new AppError('input/unreadable', `cannot read ${path}`, { cause: error });
    }
  }

  /** Writes one text at a time, in order, so the latest text is the one on disk. */
  function write(text: string): Promise<void> {
    latest = text;
    return serialized(async () => {
      try {
        await writePrivateFile(path, text);
      } catch (cause) {
        void sleep(retryMs).then(() => (text === latest ? write(text).catch(() => undefined) : undefined));
        throw new AppError('data/not-writable', `cannot write ${path}`, { cause });
      }
    });
  }

  const whole = (): Promise<string> => {
    draft ??= stored().catch((error: unknown) => {
      draft = undefined;
      throw error;
    });
    return draft;
  };

  return {
    async save({ part, parts: count, text }) {
      if (part === 0) parts = [];
      if (part !== parts.length) throw new AppError('request/invalid', `part ${part} after ${parts.length} of a text`);
      parts.push(text);
      if (parts.length < count) return;
      const all = parts.join('');
      parts = [];
      draft = Promise.resolve(all);
      await write(all);
    },
    async readPart(which, part) {
      const pieces = textParts(which === 'draft' ? await whole() : opened);
      const text = pieces[part];
      if (text === undefined) throw new AppError('request/invalid', `part ${part} of ${pieces.length} of a text`);
      return { part, parts: pieces.length, text };
    },
    setOpened: (text) => void (opened = text),
    read: whole,
  };
}
