let segmenter: Intl.Segmenter | undefined;

/** What a reader sees as single characters: a letter with its accents, an emoji with all its parts. */
export function graphemesOf(text: string): readonly string[] {
  // In ASCII each character is one, and most names are ASCII.
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Files of one folder differ at the end of their names: the tail stays whole when the middle is clipped. */
export function splitMiddle(name: string, tailLength = 9): readonly [head: string, tail: string] {
  const tail = graphemesOf(name).slice(-tailLength).join('').trimStart();
  return [name.slice(0, name.length - tail.length), tail];
}

/** A name inside a sentence: what is longer than `longest` graphemes is cut in its middle. */
export function truncateMiddle(text: string, longest = 64): string {
  const letters = graphemesOf(text);
  if (letters.length <= longest) return text;
  const head = Math.ceil((longest - 1) * 0.6);
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (longest - 1 - head)).join('')}`;
}
