import { resolve } from 'node:path';

/** What `straceArguments` asks for. */
const tracedCalls = 'openat,fsync,fdatasync,link,linkat,rename,renameat,renameat2,unlink,unlinkat,close';

/**
 * Arguments of strace before the program. Needs `UV_USE_IO_URING=0` in the environment, because io_uring operations of libuv do not
 * appear in a trace.
 */
export const straceArguments = (log: string): readonly string[] => [
  ...['-f', '-y', '-qq', '-o', log, '-e', `trace=${tracedCalls}`],
];

/** One system call. A call of one thread may begin on one line and end on another, with those of other threads between. */
export interface TracedCall {
  readonly name: string;
  readonly args: string;
  /** Lines of the trace, from 1. */
  readonly begin: number;
  /** Null: it was still under way when the trace, or its process, ended. */
  readonly end: number | null;
  readonly succeeded: boolean;
}

export interface Trace {
  /** In the order in which they began. */
  readonly calls: readonly TracedCall[];
  readonly wasKilled: boolean;
}

const prefix = /^(?:\[pid +(\d+)\] |(\d+) +)?(.*)$/;
const unfinished = /^(\w+)\((.*?)\s*<unfinished \.\.\.>$/;
const resumed = /^<\.\.\. (\w+) resumed>(.*)\)\s+= (\S+)/;
const whole = /^(\w+)\((.*)\)\s+= (\S+)/;

/** Reads what `strace -f -y` wrote, with the thread's id before each line or without. */
export function parseTrace(text: string): Trace {
  const calls: { -readonly [K in keyof TracedCall]: TracedCall[K] }[] = [];
  const open = new Map<string, (typeof calls)[number]>();
  let wasKilled = false;

  text.split('\n').forEach((line, at) => {
    const [, bracketed, bare, rest = ''] = prefix.exec(line) ?? [];
    const thread = bracketed ?? bare ?? '';
    const number = at + 1;
    if (rest.startsWith('+++ killed by')) wasKilled = true;
    const succeeded = (result: string) => /^\d/.test(result);

    const begun = unfinished.exec(rest);
    if (begun) {
      const [, name = '', args = ''] = begun;
      const call = { name, args, begin: number, end: null, succeeded: false };
      calls.push(call);
      open.set(thread, call);
      return;
    }
    const ended = resumed.exec(rest);
    if (ended) {
      const [, name = '', more = '', result = ''] = ended;
      const call = open.get(thread);
      if (call?.name !== name) throw new Error(`line ${number} ends a ${name} that thread ${thread} did not begin`);
      open.delete(thread);
      call.args += more;
      // "?" means a call that was interrupted by the end of its thread.
      if (result !== '?') Object.assign(call, { end: number, succeeded: succeeded(result) });
      return;
    }
    const [, name, args = '', result = ''] = whole.exec(rest) ?? [];
    if (name === undefined) return;
    const isOver = result !== '?';
    calls.push({ name, args, begin: number, end: isOver ? number : null, succeeded: isOver && succeeded(result) });
  });
  return { calls, wasKilled };
}

const letters: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12, a: 7, b: 8, e: 27 };

/** Undoes the escapes of C in which strace writes bytes. */
function unescaped(text: string): string {
  const bytes: number[] = [];
  for (const [piece, octal, hex, letter] of text.matchAll(/\\([0-7]{1,3})|\\x([0-9a-f]{2})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (letter !== undefined) bytes.push(letters[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(piece));
  }
  return Buffer.from(bytes).toString();
}

const pathArgument = /(?:(?:AT_FDCWD|\d+)(?:<((?:[^>\\]|\\.)*)>)?, )?"((?:[^"\\]|\\.)*)"/g;

/** The paths that a call names in quotes, absolute: a relative one is seen from the folder before it. */
export const namedPaths = ({ args }: TracedCall): readonly string[] =>
  [...args.matchAll(pathArgument)].map(([, folder = '/', path = '']) => resolve(unescaped(folder), unescaped(path)));

/** The path of the file that the call's first argument is a descriptor of. */
export function descriptorPath({ args }: TracedCall): string | null {
  const [, path] = /^\d+<((?:[^>\\]|\\.)*)>/.exec(args) ?? [];
  return path === undefined ? null : unescaped(path);
}
