import { cutColumns, printable, printableJson } from './printable.ts';

export type Tone = 'good' | 'bad' | 'strong';

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
