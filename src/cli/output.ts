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

type Tone = 'good' | 'bad' | 'strong';

/**
 * Where a command speaks, and the one place that prints. stdout is for people, or with `--json` for programs: one object a line, the
 * last one the outcome. What a terminal would act on never arrives there.
 */
export interface Output {
  /** A line that was asked for; silent with `--json`. */
  say(text: string, tone?: Tone): void;
  /** What a command did, a line each on stdout; silent with `--json` and `--quiet`. */
  report(text: string): void;
  /** What is good to know, on stderr; silent with `--json` and `--quiet`. */
  remark(text: string): void;
  /** A line for a program; silent without `--json`. */
  event(event: Readonly<Record<string, unknown>>): void;
  /** What went wrong, for people, in one line or several: stderr, or nothing with `--json`, where `event` carries it. */
  complain(text: string): void;
  /** What helps to find a defect: on stderr whatever the ways are. */
  trace(text: string): void;
  /** The last line of a terminal, below all others; a new one takes its place, null takes it away. Nothing without a terminal. */
  status(text: string | null): void;
  /** Whether anybody sees `status`. */
  readonly hasStatus: boolean;
}

interface Stream {
  /** True where colours are shown: `NO_COLOR`, `TERM` and `FORCE_COLOR` are asked by Node. */
  hasColors?(): boolean;
  write(text: string): unknown;
}

interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream & { readonly isTTY?: boolean; readonly columns?: number };
}

interface Ways {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Back to the start of the line, and rub it out. */
const clear = '\r\u001b[K';
const usualColumns = 80;
const tones: Readonly<Record<Tone, string>> = { good: '\u001b[32m', bad: '\u001b[31m', strong: '\u001b[1m' };

export function createOutput({ json = false, quiet = false }: Ways, { stdout, stderr }: Streams): Output {
  const hasStatus = !json && !quiet && stderr.isTTY === true;
  let shown: string | null = null;

  /** Cut, because a line that wraps is not rubbed out. */
  const draw = (text: string) => void stderr.write(clear + cutColumns(text, (stderr.columns ?? usualColumns) - 1));

  function print(stream: Stream, line: string, tone?: Tone): void {
    if (shown !== null) stderr.write(clear);
    const coloured = tone && stream.hasColors?.() === true ? `${tones[tone]}${line}\u001b[0m` : line;
    stream.write(`${coloured}\n`);
    if (shown !== null) draw(shown);
  }

  const trace = (text: string) => {
    for (const line of text.split('\n')) print(stderr, printable(line));
  };
  const complain = (text: string) => {
    if (!json) trace(text);
  };
  return {
    say(text, tone) {
      if (!json) print(stdout, printable(text), tone);
    },
    report(text) {
      if (!json && !quiet) print(stdout, printable(text));
    },
    remark(text) {
      if (!quiet) complain(text);
    },
    event(event) {
      if (json) print(stdout, printableJson(event));
    },
    complain,
    trace,
    status(text) {
      const next = text === null ? null : printable(text);
      if (!hasStatus || next === shown) return;
      shown = next;
      if (next === null) stderr.write(clear);
      else draw(next);
    },
    hasStatus,
  };
}
