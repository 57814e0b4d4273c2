import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ErrorCode } from '../../../shared/errors.ts';
import { controlCharacters } from '../../../shared/text/control-characters.ts';
import { windowsProgram } from '../child-process.ts';
import type { Clock } from '../clock.ts';
import { errnoOf, isForbidden, isNotFound } from '../files/errno.ts';

/** A program to run: never through a shell, so no value is ever read as a command. */
export interface ProgramStart {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Written to its standard input, which it need not read. */
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** How a run ended. `output` is the end of what the program wrote to standard output and error, in order of arrival. */
export type ProgramEnd = ProgramExit | { readonly kind: 'timeout' | 'stopped'; readonly output: string } | NotStarted;

interface NotStarted {
  readonly kind: 'not-started';
  readonly code: Extract<ErrorCode, `hook/${string}`>;
  /** The system's reason, where nothing is wrong with the file. */
  readonly errno?: string;
}

interface ProgramExit {
  readonly kind: 'exited';
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly output: string;
}

interface Surroundings {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly platform: NodeJS.Platform;
}

/** What is kept of the output: its end, which says why a program failed. */
export const maxOutputLength = 8000;
/** How long a program may take to end itself when it is asked to. */
const graceMs = 1000;
/** A program that has ended may leave others behind that hold its output open. */
const drainMs = 300;
/** Windows runs these with a shell only, whose quoting cannot be made safe (CVE-2024-27980). */
const batchFiles: ReadonlySet<string> = new Set(['.bat', '.cmd']);

/** True for a file that Windows could run only through a shell. */
export const isBatchFile = (program: string, platform: string): boolean =>
  platform === 'win32' && batchFiles.has(extname(program).toLowerCase());

/** Too many processes or open files, too little memory, a file that is being written or whose disk fails. */
const passingErrors: ReadonlySet<string> = new Set([
  ...['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'E2BIG', 'ETXTBSY', 'EBUSY', 'EIO', 'ESTALE', 'ETIMEDOUT'],
]);

async function notStarted(error: unknown, program: string): Promise<NotStarted> {
  const kind = 'not-started';
  const errno = errnoOf(error);
  if (errno !== undefined && passingErrors.has(errno)) return { kind, code: 'hook/failed', errno };
  const found = await stat(program).catch(() => null);
  // The permissions of a folder are no reason to make it executable.
  if (isForbidden(error) && !found?.isDirectory()) return { kind, code: 'hook/not-allowed' };
  // The interpreter that a script names may be what is missing.
  const isMissing = found?.isDirectory() || (isNotFound(error) && !found);
  return { kind, code: isMissing ? 'hook/missing' : 'hook/not-a-program' };
}

/** Lines without the characters that a terminal would interpret. */
const printable = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(/\t/g, '  ').replace(controlCharacters, ''))
    .join('\n')
    .trim();

/** Collects the end of a program's output. */
function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder('utf8');
    stream?.on('data', (bytes: Buffer) => (text = (text + decoder.write(bytes)).slice(-2 * maxOutputLength)));
    stream?.on('error', () => undefined);
  }
  return () => printable(text).slice(-maxOutputLength).toWellFormed();
}

/**
 * Reads on what others write that an ended program has left behind: to write to a closed pipe would end them. Keeps no process
 * alive.
 */
function drain(stream: Readable | null): void {
  if (!(stream instanceof Socket)) return;
  stream.removeAllListeners('data');
  stream.resume();
  stream.unref();
}

/** Signals the program and all that it started. On Windows there is no gentle way. */
function signalTree(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL', platform: NodeJS.Platform): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (platform === 'win32') {
    execFile(windowsProgram('taskkill.exe'), ['/pid', String(pid), '/t', '/f'], () => undefined);
    return;
  }
  try {
    // It leads a process group of its own.
    process.kill(-pid, signal);
  } catch {
    // All of them have ended.
  }
}

/**
 * Runs a program to its end, to its timeout or until `signal` aborts; the last two end it with all that it started.
 * Never rejects.
 */
export async function runProgram(
  { program, args, input, cwd, env, timeoutMs }: ProgramStart,
  { clock, platform }: Surroundings,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  if (isBatchFile(program, platform)) return { kind: 'not-started', code: 'hook/batch-file' };
  if (signal.aborted) return { kind: 'stopped', output: '' };
  let child: ChildProcess;
  try {
    child = spawn(program, [...args], {
      cwd,
      env: { ...env },
      stdio: 'pipe',
      shell: false,
      windowsHide: true,
      // A process group, so that all of it can be ended. On Windows it would open a console.
      detached: platform !== 'win32',
    });
  } catch (error) {
    return notStarted(error, program);
  }
  const output = collectOutput(child);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);

  const over = new AbortController();
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const exited = new Promise<ProgramExit | Error>((resolve) => {
    child.once('error', resolve);
    child.once('exit', (exitCode, by) => resolve({ kind: 'exited', exitCode, signal: by, output: '' }));
  });
  const waitFor = (ms: number) => clock.sleep(ms, over.signal).catch(() => undefined);
  const cut = clock.sleep(timeoutMs, AbortSignal.any([over.signal, signal])).then(
    () => 'timeout' as const,
    () => 'stopped' as const,
  );
  let hasLeft = false;
  try {
    const end = await Promise.race([exited, cut]);
    if (end instanceof Error) return await notStarted(end, program);
    if (typeof end === 'string') {
      signalTree(child, 'SIGTERM', platform);
      await Promise.race([exited, waitFor(graceMs)]);
      // What it started may have ignored the request.
      signalTree(child, 'SIGKILL', platform);
      await Promise.race([closed, waitFor(graceMs)]);
      return { kind: end, output: output() };
    }
    await Promise.race([closed, waitFor(drainMs)]);
    hasLeft = true;
    return { ...end, output: output() };
  } finally {
    over.abort(new Error('the program has ended'));
    child.stdin?.destroy();
    for (const stream of [child.stdout, child.stderr]) {
      if (hasLeft) drain(stream);
      else stream?.destroy();
    }
    child.unref();
  }
}
