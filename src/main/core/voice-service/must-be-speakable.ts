import { AppError } from '../../../shared/app-error.ts';
import type { ConnectionDocument } from '../../../shared/wire/connection.ts';
import { textLength } from '../../../shared/text-length.ts';

/** What can be said of a text before a call that costs: throws `input/text-empty` and `input/text-too-long`. */
export function mustBeSpeakable(text: string, { limits }: Pick<ConnectionDocument, 'limits'>): void {
  if (text.trim() === '') throw new AppError('input/text-empty', 'no text');
  const limitCharacters = limits.maxTextLength;
  if (limitCharacters === null) return;
  const actualCharacters = textLength(text);
  if (actualCharacters > limitCharacters) {
    throw new AppError('input/text-too-long', `${actualCharacters} of ${limitCharacters} characters`, {
      facts: { limitCharacters, actualCharacters },
    });
  }
}
