let segmenter: Intl.Segmenter | undefined;

/** Most names are ASCII, where each code unit is a grapheme. */
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Splits text into what a reader sees as characters: a letter with its accents, an emoji with all its parts. */
export function graphemesOf(text: string): readonly string[] {
  if (isAscii(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Splits a name into a head, which may be clipped, and a tail. Names of files in one folder often differ only at their end. */
export function splitMiddle(name: string, tailLength = 9): readonly [head: string, tail: string] {
  const end = isAscii(name) ? name.slice(-tailLength) : graphemesOf(name).slice(-tailLength).join('');
  const tail = end.trimStart();
  return [name.slice(0, name.length - tail.length), tail];
}

/** Truncates text of more than `maxLength` graphemes in its middle. */
export function truncateMiddle(text: string, maxLength = 64): string {
  const letters = graphemesOf(text);
  if (letters.length <= maxLength) return text;
  const head = Math.ceil((maxLength - 1) * 0.6);
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (maxLength - 1 - head)).join('')}`;
}
