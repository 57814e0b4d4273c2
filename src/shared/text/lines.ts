/** A line of a text with its break, in UTF-16 units. */
export interface Line {
  readonly start: number;
  /** Where its break begins. */
  readonly breakAt: number;
  readonly end: number;
}

export function* linesOf(text: string): Generator<Line, undefined> {
  let start = 0;
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n|\n|\r/g)) {
    const end = index + lineBreak.length;
    yield { start, breakAt: index, end };
    start = end;
  }
  yield { start, breakAt: text.length, end: text.length };
}
