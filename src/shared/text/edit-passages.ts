import { joinMark, splitMark } from './passage-marks.ts';

/** A part of a text, in UTF-16 units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

// Loops, because an expression that ends in `$` would try each blank of many as a start.
const isBlank = (unit: string | undefined): boolean =>
  unit === joinMark || unit === splitMark || (unit !== undefined && unit.trim() === '');

function afterBlanks(text: string, from: number, end = text.length): number {
  let at = from;
  while (at < end && isBlank(text[at])) at += 1;
  return at;
}

function beforeBlanks(text: string, from: number, start = 0): number {
  let at = from;
  while (at > start && isBlank(text[at - 1])) at -= 1;
  return at;
}

/** Where the words of a passage are, without the blanks, breaks and marks around them. */
export function wordsRange(text: string, { start, end }: Range): Range {
  const first = afterBlanks(text, start, end);
  return { start: first, end: beforeBlanks(text, end, first) };
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

/** Replaces what is between two places, whose marks go. `fill` gets what was there without them. */
function replaceGap(text: string, { start, end }: Range, fill: (blanks: string) => string): string {
  const blanks = text.slice(start, end).replaceAll(joinMark, '').replaceAll(splitMark, '');
  return text.slice(0, start) + fill(blanks) + text.slice(end);
}

/** Makes a passage end at a place of the text, or before the character that it is within. */
export function splitAt(text: string, place: number): string {
  const at = /^[\uDC00-\uDFFF]/.test(text.slice(place, place + 1)) ? Math.max(0, place - 1) : place;
  return replaceGap(
    text,
    { start: beforeBlanks(text, at), end: afterBlanks(text, at) },
    (blanks) => `${splitMark}${blanks}`,
  );
}

/** What is in a gap of several lines, on one. */
function onOneLine(gap: string): string {
  const lines = gap.split(/[\r\n]/).map((line) => line.trim());
  return [' ', ...lines.filter((line) => line !== '').map((line) => `${line} `)].join('');
}

/** Makes two passages that follow each other one; two paragraphs become one line, with what is between them. */
export function joinPassages(text: string, first: Range, second: Range): string {
  const gap = { start: wordsRange(text, first).end, end: wordsRange(text, second).start };
  return replaceGap(text, gap, (blanks) => `${joinMark}${/[\r\n]/.test(blanks) ? onOneLine(blanks) : blanks}`);
}

/** Takes a passage out of a text, with the blanks on one side of it: the break that parts more stays between its neighbours. */
export function removePassage(text: string, passage: Range): string {
  const words = wordsRange(text, passage);
  const [from, to] = [beforeBlanks(text, words.start), afterBlanks(text, words.end)];
  if (from === 0 || to === text.length) return text.slice(0, from) + text.slice(to);
  const [before, after] = [text.slice(from, words.start), text.slice(words.end, to)];
  const isAfterStronger =
    lineBreaksIn(after) > lineBreaksIn(before) || (lineBreaksIn(before) === 0 && !before.includes(splitMark));
  return text.slice(0, from) + (isAfterStronger ? after : before) + text.slice(to);
}
