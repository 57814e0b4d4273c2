/** Letters that no normalisation takes apart, though people write them without their stroke or as two. */
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

/** Marks that a search can do without: accents, and the vowel points of Arabic and Hebrew. Those that make another letter stay: か, が. */
const looseMark = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}]]--[\u3099\u309A]]/gv;

/** Scripts that write words without a space between them, and Hangul, whose words grow endings. */
const unspaced = ['Han', 'Hira', 'Kana', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/** What people put into names as they do words: emoji, each for itself, whatever its colour, and the letters of flags. */
const emoji = '[\\p{Emoji}--[\\p{ASCII}\\p{Emoji_Modifier}©®〰〽]]';

/**
 * A word: an emoji, one character of a script without spaces (with its vowel signs), a run of digits, or a run of letters. Letters and
 * digits are two words, so that `take 12` finds `take12`, and the counter in `REC00012` does not make each name a word of its own.
 */
const word = new RegExp(
  `${emoji}|[\\p{L}&&[${unspaced}]]\\p{M}*|\\p{N}+|[\\p{L}--[${unspaced}]][[\\p{L}\\p{M}]--[${unspaced}]]*`,
  'gv',
);

/**
 * A text as searches compare it: case, accents, width and composition (NFC, NFD) make no difference. The index of history holds words
 * of it: a change needs a migration that builds the index anew.
 */
export const foldText = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : foldFully(text));

const foldFully = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(looseMark, '')
    // By way of lower case all variants of a letter meet in one upper case: `ẞ`, `ß` and `SS`.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(strangeLetter, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFKD')
    .replace(looseMark, '')
    .normalize('NFC');

/** The words of a text, folded. */
export const foldWords = (text: string): readonly string[] => foldText(text).match(word) ?? [];
