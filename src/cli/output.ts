import { controlCharacters } from '../shared/text/control-characters.ts';

/** One line for a terminal: whitespace becomes a space, and each control character becomes U+FFFD. */
export const printable = (text: string): string =>
  text.replace(/[\t\n\v\f\r]+/g, ' ').replace(controlCharacters, '\ufffd');

/** JSON with control characters escaped, so that a terminal ignores them and a program reads the same text. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Created for the first text that is not ASCII, because it takes 20 ms. */
let graphemes: Intl.Segmenter | undefined;

function* graphemesOf(text: string): Generator<string> {
  if (/^[ -~]*$/.test(text)) yield* text;
  else {
    graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    for (const { segment } of graphemes.segment(text)) yield segment;
  }
}
const invisible = /^[\p{M}\p{Cf}\p{Cc}]+$/u;
/** East Asian Wide and Fullwidth (UAX 11); whole blocks where every character is wide. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const emoji = /^(?:\p{Emoji_Presentation}|\p{RI}\p{RI}|\p{Emoji}\ufe0f)/u;

const widthOf = (grapheme: string): number =>
  invisible.test(grapheme) ? 0 : wide.test(grapheme) || emoji.test(grapheme) ? 2 : 1;

/** Columns that a text takes on a terminal: two for a CJK character or an emoji, none for a combining mark. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const segment of graphemesOf(text)) columns += widthOf(segment);
  return columns;
}

export const padColumns = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

/** The text cut to at most `columns`, between graphemes. */
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

const [opening, closing] = ['（「『', '、。，；：！？）」』ー'];
const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
/** A word with the blank before it. Each character of Chinese and Japanese is one, with the marks that stay on its line. */
const word = new RegExp(
  ` ?[${opening}]*(?:[${cjk}]|[^ ${cjk}${opening}${closing}]+)?[${closing}ぁぃぅぇぉっゃゅょァィゥェォッャュョ]*`,
  'gu',
);

/** Lines of at most `columns`, broken between words; all but the first are indented. A longer word keeps its own line. */
export function wrapColumns(text: string, columns: number, indent = 0): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const [next] of text.matchAll(word)) {
    const longer = line === '' ? next.trimStart() : line + next;
    if (line.trim() === '' || columnsOf(longer) <= columns) line = longer;
    else {
      lines.push(line);
      line = ' '.repeat(indent) + next.trimStart();
    }
  }
  return [...lines, line];
}

type Tone = 'good' | 'bad' | 'strong';

/**
 * The only place that prints. stdout is text for the user or, with `--json`, one object per line of which
 * the last is the outcome. Control characters never reach the terminal.
 */
export interface Output {
  /** Prints a line that the user asked for to stdout; silent with `--json`. */
  print(text: string, tone?: Tone): void;
  /** Prints one thing that the command did to stdout; silent with `--json` and `--quiet`. */
  report(text: string): void;
  /** Prints a hint to stderr; silent with `--json` and `--quiet`. */
  info(text: string): void;
  /** Prints a JSON object to stdout; silent without `--json`. */
  event(event: Readonly<Record<string, unknown>>): void;
  /** Prints one or more lines about an error to stderr; silent with `--json`, where `event` reports it. */
  error(text: string): void;
  /** Prints debugging details to stderr, whatever the options. */
  trace(text: string): void;
  /** Replaces the status line, the last line of the terminal; null removes it. Does nothing without a terminal. */
  status(text: string | null): void;
  /** True if `status` is visible. */
  readonly hasStatus: boolean;
}

interface Stream {
  /** True if the stream supports colours. Node checks `NO_COLOR`, `TERM` and `FORCE_COLOR`. */
  hasColors?(): boolean;
  write(text: string): unknown;
}

interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream & { readonly isTTY?: boolean; readonly columns?: number };
}

interface OutputOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Moves to the start of the line and erases it. */
const clear = '\r\u001b[K';
const defaultColumns = 80;
const tones: Readonly<Record<Tone, string>> = { good: '\u001b[32m', bad: '\u001b[31m', strong: '\u001b[1m' };

export function createOutput({ json = false, quiet = false }: OutputOptions, { stdout, stderr }: Streams): Output {
  const hasStatus = !json && !quiet && stderr.isTTY === true;
  let shown: string | null = null;

  /** The text is cut because `clear` erases only the last row of a wrapped line. */
  const drawStatus = (text: string) =>
    void stderr.write(clear + cutColumns(text, (stderr.columns ?? defaultColumns) - 1));

  function writeLine(stream: Stream, line: string, tone?: Tone): void {
    if (shown !== null) stderr.write(clear);
    const coloured = tone && stream.hasColors?.() === true ? `${tones[tone]}${line}\u001b[0m` : line;
    stream.write(`${coloured}\n`);
    if (shown !== null) drawStatus(shown);
  }

  const trace = (text: string) => {
    for (const line of text.split('\n')) writeLine(stderr, printable(line));
  };
  const error = (text: string) => {
    if (!json) trace(text);
  };
  return {
    print(text, tone) {
      if (!json) writeLine(stdout, printable(text), tone);
    },
    report(text) {
      if (!json && !quiet) writeLine(stdout, printable(text));
    },
    info(text) {
      if (!quiet) error(text);
    },
    event(event) {
      if (json) writeLine(stdout, printableJson(event));
    },
    error,
    trace,
    status(text) {
      const next = text === null ? null : printable(text);
      if (!hasStatus || next === shown) return;
      shown = next;
      if (next === null) stderr.write(clear);
      else drawStatus(next);
    },
    hasStatus,
  };
}
