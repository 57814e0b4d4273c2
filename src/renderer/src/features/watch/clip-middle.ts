/** A name inside a sentence: what is longer is cut in its middle, because files of one folder differ at their ends. Counted in letters. */
export function clipMiddle(text: string, longest = 64): string {
  const letters = Array.from(text);
  if (letters.length <= longest) return text;
  const head = Math.ceil((longest - 1) * 0.6);
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (longest - 1 - head)).join('')}`;
}
