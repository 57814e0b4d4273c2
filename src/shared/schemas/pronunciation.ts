import * as v from 'valibot';
import type { Pronunciation } from '../text/pronounce.ts';
import { controlCharacters } from '../text/control-characters.ts';
import { nothing } from './fields.ts';

/** More would slow down each sentence, and no user writes as many. */
export const maxPronunciations = 2000;
export const pronunciationLengths = { word: 100, spoken: 300 } as const;

const text = (most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1),
    v.maxLength(most),
    v.check((given) => given.isWellFormed() && given.search(controlCharacters) < 0, 'must be one line'),
  );
const language = v.pipe(v.string(), v.regex(/^(?:[a-z]{1,8}(?:[-_][a-z0-9]{1,8})*)?$/i), v.maxLength(64));

export const pronunciation = v.object({
  language,
  word: text(pronunciationLengths.word),
  spoken: text(pronunciationLengths.spoken),
});

export const pronunciations = v.pipe(v.array(pronunciation), v.maxLength(maxPronunciations), v.readonly());

export type PronunciationId = Pick<Pronunciation, 'language' | 'word'>;

/** What becomes of the list when a file is imported. */
export interface PronunciationImport {
  readonly added: number;
  /** Words that are spoken otherwise now. */
  readonly changed: number;
  /** Words without a spelling to speak: those given in a phonetic alphabet only. */
  readonly skipped: number;
}

export const pronunciationInputs = {
  list: nothing,
  save: v.object({ entry: pronunciation, before: v.nullable(v.pick(pronunciation, ['language', 'word'])) }),
  remove: v.pick(pronunciation, ['language', 'word']),
  importFile: nothing,
  exportFile: v.pick(pronunciation, ['language']),
};
