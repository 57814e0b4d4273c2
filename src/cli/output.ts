/** Where a command speaks. stdout is for people, or with `--json` for programs: one object a line, the last one the outcome. */
export interface Output {
  /** A line for a person; silent with `--json`. */
  say(text: string): void;
  /** A line for a program; silent without `--json`. */
  event(event: Readonly<Record<string, unknown>>): void;
  /** What went wrong, for people: stderr, or nothing with `--json`, where `event` carries it. */
  complain(text: string): void;
}

interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

export const createOutput = (json: boolean, { stdout, stderr }: Streams): Output => ({
  say: (text) => void (json || stdout.write(`${text}\n`)),
  event: (event) => void (json && stdout.write(`${JSON.stringify(event)}\n`)),
  complain: (text) => void (json || stderr.write(`${text}\n`)),
});
