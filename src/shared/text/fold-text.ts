/**
 * Letters that no normalisation decomposes, although people write them without their stroke or as
 * two letters.
 */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
};
const strangeLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/**
 * Marks that a search ignores: accents, and the vowel points of Arabic and Hebrew. Marks that make
 * another letter are kept: か, が.
 */
const looseMark = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}]]--[\u3099\u309A]]/gv;

/** Scripts without spaces between words, and Hangul, whose words take suffixes. */
export const unspaced = ['Han', 'Hira', 'Kana', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/** Emoji count as words in names: each separately, without its colour, as do the letters of flags. */
const emoji = '[\\p{Emoji}--[\\p{ASCII}\\p{Emoji_Modifier}©®〰〽]]';

/**
 * A word: an emoji, one character of a script without spaces (with its vowel signs), a run of
 * digits, or a run of letters. Letters and digits are separate words, so that `take 12` finds
 * `take12`, and the counter in `REC00012` does not make each name a unique word.
 */
const word = new RegExp(
  `${emoji}|[\\p{L}&&[${unspaced}]]\\p{M}*|\\p{N}+|[\\p{L}--[${unspaced}]][[\\p{L}\\p{M}]--[${unspaced}]]*`,
  'gv',
);

/**
 * Folds a text for comparison in searches: case, accents, width and composition (NFC, NFD) are
 * ignored. The history index contains folded words, so a change needs a migration that rebuilds it.
 */
export const foldText = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : foldFully(text));

const foldFully = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(looseMark, '')
    // Lower case first, so that all variants of a letter have one upper case: `ẞ`, `ß` and `SS`.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(strangeLetter, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFKD')
    .replace(looseMark, '')
    .normalize('NFC');

/** Returns the folded words of a text. */
export const foldWords = (text: string): readonly string[] => foldText(text).match(word) ?? [];
