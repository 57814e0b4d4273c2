/** Where a command speaks. stdout is for people, or with `--json` for programs: one object a line, the last one the outcome. */
export interface Output {
  /** A line for a person; silent with `--json`. */
  say(text: string): void;
  /** A line for a program; silent without `--json`. */
  event(event: Readonly<Record<string, unknown>>): void;
  /** What went wrong, for people: stderr, or nothing with `--json`, where `event` carries it. */
  complain(text: string): void;
  /** The last line of a terminal, below all others; a new one takes its place, null takes it away. Nothing without a terminal. */
  status(text: string | null): void;
  /** Whether anybody sees `status`. */
  readonly hasStatus: boolean;
}

interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };
}

/** Back to the start of the line, and rub it out. */
const clear = '\r\u001b[K';
const usualColumns = 80;

export function createOutput(json: boolean, { stdout, stderr }: Streams): Output {
  const hasStatus = !json && stderr.isTTY === true;
  let shown: string | null = null;

  /** Cut, because a line that wraps is not rubbed out. */
  const draw = (text: string) => void stderr.write(clear + text.slice(0, (stderr.columns ?? usualColumns) - 1));

  function print(stream: { write(text: string): unknown }, line: string): void {
    if (shown !== null) stderr.write(clear);
    stream.write(`${line}\n`);
    if (shown !== null) draw(shown);
  }

  return {
    say(text) {
      if (!json) print(stdout, text);
    },
    event(event) {
      if (json) print(stdout, JSON.stringify(event));
    },
    complain(text) {
      if (!json) print(stderr, text);
    },
    status(text) {
      if (!hasStatus || text === shown) return;
      shown = text;
      if (text === null) stderr.write(clear);
      else draw(text);
    },
    hasStatus,
  };
}
