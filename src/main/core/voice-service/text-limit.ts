import { AppError, type Problem, toAppError } from '../../../shared/errors.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { textLength } from '../../../shared/text/text-parts.ts';

/** Why a connection does not accept a text with so many characters; null if it does. */
export function textLengthProblem(
  actualCharacters: number,
  { limits }: Pick<ConnectionDocument, 'limits'>,
): Problem | null {
  const limitCharacters = limits.maxTextLength;
  if (limitCharacters === null || actualCharacters <= limitCharacters) return null;
  return { code: 'input/text-too-long', facts: { limitCharacters, actualCharacters } };
}

/** Checks a text before a paid call. Throws `input/text-empty` or `input/text-too-long`. */
export function assertSpeakable(text: string, document: Pick<ConnectionDocument, 'limits'>): void {
  if (text.trim() === '') throw new AppError('input/text-empty', 'no text');
  const problem = textLengthProblem(textLength(text), document);
  if (problem) throw toAppError({ ...problem, message: 'the text is too long' });
}
