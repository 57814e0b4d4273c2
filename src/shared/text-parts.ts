/** UTF-16 units in one message: 150 kB at most, where a message may have 256. */
export const unitsInPart = 50_000;

/** A text in pieces of one message each, in order; an empty text is one empty piece. */
export function textParts(text: string): readonly string[] {
  const count = Math.max(1, Math.ceil(text.length / unitsInPart));
  return Array.from({ length: count }, (_, k) => text.slice(k * unitsInPart, (k + 1) * unitsInPart));
}
