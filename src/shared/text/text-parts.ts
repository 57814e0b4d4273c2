/** UTF-16 units per message: at most 150 kB, where a message may have 256. */
export const unitsInPart = 50_000;

/** Splits a text into parts of one message each, in order. An empty text is one empty part. */
export function textParts(text: string): readonly string[] {
  const count = Math.max(1, Math.ceil(text.length / unitsInPart));
  return Array.from({ length: count }, (_, k) => text.slice(k * unitsInPart, (k + 1) * unitsInPart));
}

/** Returns the length of a text as the limits of services count it: in code points. */
export function textLength(text: string): number {
  let length = text.length;
  for (const [pair] of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) length -= pair.length - 1;
  return length;
}

/** The longest title that the user reads at a glance. */
const maxTitleLength = 48;

/** Returns the first words of a text, which name it where it has no title. */
export function speechTitle(text: string): string {
  let oneLine = '';
  // A book is not read to its end for its first words.
  for (const [word] of text.matchAll(/\S+/g)) {
    if (oneLine.length > maxTitleLength) break;
    oneLine += oneLine === '' ? word : ` ${word}`;
  }
  if (oneLine.length <= maxTitleLength) return oneLine;
  const cut = oneLine.slice(0, maxTitleLength + 1);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > maxTitleLength / 2 ? end : maxTitleLength).toWellFormed()}…`;
}
