import { controlCharacters } from '../shared/text/control-characters.ts';

/** One line for a terminal: white space is a space, and what a terminal would act on is one sign each. */
export const printable = (text: string): string =>
  text.replace(/[\t\n\v\f\r]+/g, ' ').replace(controlCharacters, '\ufffd');

/** JSON in ASCII wherever a terminal would act on a character; a program reads the same text. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(controlCharacters, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Made for the first text that is not plain: it takes 20 ms. */
let graphemes: Intl.Segmenter | undefined;

function* graphemesOf(text: string): Generator<string> {
  if (/^[ -~]*$/.test(text)) yield* text;
  else {
    graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    for (const { segment } of graphemes.segment(text)) yield segment;
  }
}
const invisible = /^[\p{M}\p{Cf}\p{Cc}]+$/u;
/** East Asian Wide and Fullwidth (UAX 11), by block where all of it is. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const emoji = /^(?:\p{Emoji_Presentation}|\p{RI}\p{RI}|\p{Emoji}\ufe0f)/u;

const widthOf = (grapheme: string): number =>
  invisible.test(grapheme) ? 0 : wide.test(grapheme) || emoji.test(grapheme) ? 2 : 1;

/** Columns that a text takes on a terminal: two for a letter of Chinese or an emoji, none for an accent. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const segment of graphemesOf(text)) columns += widthOf(segment);
  return columns;
}

export const padColumns = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

/** As much of a text as fits, cut between whole signs. */
export function cutColumns(text: string, columns: number): string {
  let cut = '';
  let used = 0;
  for (const segment of graphemesOf(text)) {
    used += widthOf(segment);
    if (used > columns) return cut;
    cut += segment;
  }
  return cut;
}

/** Lines of at most `columns`, broken between words; the lines behind the first are indented. */
export function wrapColumns(text: string, columns: number, indent = 0): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line.trim() === '' || columnsOf(longer) <= columns) line = longer;
    else {
      lines.push(line);
      line = ' '.repeat(indent) + word;
    }
  }
  return [...lines, line];
}
