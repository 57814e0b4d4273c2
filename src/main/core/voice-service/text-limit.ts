import { AppError } from '../../../shared/errors.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { textLength } from '../../../shared/text/text-parts.ts';

/** Checks a text before a paid call. Throws `input/text-empty` or `input/text-too-long`. */
export function assertSpeakable(text: string, { limits }: Pick<ConnectionDocument, 'limits'>): void {
  if (text.trim() === '') throw new AppError('input/text-empty', 'no text');
  const limitCharacters = limits.maxTextLength;
  const actualCharacters = textLength(text);
  if (limitCharacters === null || actualCharacters <= limitCharacters) return;
  throw new AppError('input/text-too-long', 'the text is too long', { facts: { limitCharacters, actualCharacters } });
}
