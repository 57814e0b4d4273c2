import {
  chmodSync,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  isLevelShown,
  type LogEntry,
  type LogLevel,
  maxLogArea,
  maxLogDetail,
  maxLogMessage,
} from '../../../shared/schemas/log.ts';
import { controlCharacters } from '../../../shared/text/control-characters.ts';
import { createRedactor, redacted } from '../secrets/redact.ts';

/**
 * The log of a data folder: one JSON line per entry (`LogEntry`), in files that only this user can read. Several
 * processes may write at once. Writing never throws, and is synchronous: the app may be about to exit.
 */
export interface Log {
  /** Records an error that is a bug or that the user sees without its details. */
  error(area: string, error: unknown): void;
  warn(area: string, message: string, detail?: string): void;
  info(area: string, message: string, detail?: string): void;
  debug(area: string, message: string, detail?: string): void;
  /** Removes tokens and other credentials from a text. */
  redact(text: string): string;
  /** Redacts this token from now on. */
  addToken(token: string): void;
}

interface Dependencies {
  readonly folder: string;
  now(): number;
  /** The least severe level that is written. */
  readonly level: LogLevel;
  /** Also prints an entry to a terminal. */
  echo(line: string): void;
}

/** Names of the log's files, newest first. */
export const logFileNames = ['timbre.log', 'timbre.1.log', 'timbre.2.log'] as const;
const maxFileBytes = 10_000_000;
/** Of a file that cannot be renamed. */
const maxStuckBytes = 2 * maxFileBytes;
/** A process that holds the lock for longer, by a clock that may be set, was killed while it renamed the files. */
const lockTimeoutMs = 10_000;

/** Debugging entries are written only while `TIMBRE_DEBUG` is set. */
export const logLevelOf = ({ TIMBRE_DEBUG }: Readonly<Record<string, string | undefined>>): LogLevel =>
  TIMBRE_DEBUG ? 'debug' : 'info';

/** What separates a name from its value, in headers, forms, JSON, JSON in JSON and printed objects. */
const separator = String.raw`\\*["']?\s*[:=]\s*\\*["']?`;
const aValue = String.raw`(?!(?:null|undefined|true|false)\b)`;
const quoted = String.raw`(?<=["'])(?:[^"'\\\r\n]|\\/)+`;
const secretName = '(?:token|(?:api|access)[_-]?key|secret|password|passphrase)';
const word = String.raw`[^\s"',;&\\)\]}]+`;
/** Credentials that Timbre does not know, by what stands before them, which is `$1`. */
const credentials: readonly RegExp[] = [
  // A scheme may have a name of any kind, and Digest many parameters.
  new RegExp(
    String.raw`\b(authorization${separator})${aValue}(?:digest\s[^\r\n]*|${quoted}|(?:[a-z][\w-]*[ \t]+)?${word})`,
    'gi',
  ),
  new RegExp(String.raw`\b([\w-]{0,40}${secretName}${separator})${aValue}(?:${quoted}|${word})`, 'gi'),
  new RegExp(String.raw`\b((?:set-)?cookie${separator})${aValue}(?:${quoted}|[^\r\n]+)`, 'gi'),
  // Words that ordinary text has too: what follows must look like a credential.
  /\b(bearer\s+)(?!(?:tokens?|auth\w*)\b)[^\s"',;\\]{4,}/gi,
  /\b([Bb]asic\s+)(?=[A-Za-z0-9+/]*(?:[a-z][A-Z]|\d|=))[A-Za-z0-9+/]{6,}={0,2}/g,
  /\b(token\s+)(?:(?=\S*\d)(?=\S*[a-z])[^\s"',;\\]{8,}|[^\s"',;\\]{24,})/gi,
];

/** Removes user info and query from URLs, and what stands where credentials do. */
const withoutCredentials = (text: string): string =>
  credentials.reduce(
    (left, pattern) => left.replace(pattern, `$1${redacted}`),
    text
      .replace(/\b([a-z][\w+.-]{0,20}:\/\/)[^\s"'<>]*@/gi, `$1${redacted}@`)
      .replace(/\b(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, `$1?${redacted}`),
  );

const printable = (text: string): string =>
  text.replace(controlCharacters, (sign) => (sign === '\n' || sign === '\t' ? sign : '\ufffd'));

const newline = '\n'.charCodeAt(0);

/** True unless a full disk or a killed process cut the last line of the file. */
function endsWithLine(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || readSync(file, last, 0, 1, size - 1) === 0 || last[0] === newline;
}

const textOf = (error: unknown): string =>
  typeof error === 'string' ? error : inspect(error, { depth: 4, maxStringLength: 2000, maxArrayLength: 20 });

const logLine = ({ area, message, detail }: LogEntry): string =>
  `${area}: ${message}${detail === undefined ? '' : `\n${detail}`}`;

export function createLog({ folder, now, level: minLevel, echo }: Dependencies): Log {
  const paths = logFileNames.map((name) => join(folder, name));
  const [path = '', ...earlier] = paths;
  const lock = join(folder, 'timbre.log.lock');
  const tokens = new Set<string>();
  let secrets = createRedactor();

  /** False if another process renames the files. */
  function acquireLock(): boolean {
    try {
      closeSync(openSync(lock, 'wx', 0o600));
      return true;
    } catch {
      if (Math.abs(now() - statSync(lock).mtimeMs) > lockTimeoutMs) unlinkSync(lock);
      return false;
    }
  }

  function tryToRename(from: string, to: string): boolean {
    try {
      renameSync(from, to);
      return true;
    } catch {
      return false;
    }
  }

  function rotate(): void {
    if (!acquireLock()) return;
    try {
      // Another process may have done it meanwhile.
      if (statSync(path).size <= maxFileBytes) return;
      for (let k = earlier.length - 1; k > 0; k -= 1) tryToRename(paths[k] ?? '', paths[k + 1] ?? '');
      // Something else may be in the place of one. A reader may also keep it from being replaced, for a moment.
      if (earlier.some((name) => tryToRename(path, name))) return;
      if (statSync(path).size > maxStuckBytes) truncateSync(path);
    } finally {
      unlinkSync(lock);
    }
  }

  function append(line: string): void {
    const file = openSync(path, 'a+', 0o600);
    let size: number;
    try {
      const before = fstatSync(file);
      if (process.platform !== 'win32' && (before.mode & 0o077) !== 0) chmodSync(path, 0o600);
      // In one write, so that lines of several processes never mix.
      const bytes = Buffer.from(endsWithLine(file, before.size) ? line : `\n${line}`);
      size = before.size + writeSync(file, bytes);
    } finally {
      closeSync(file);
    }
    if (size > maxFileBytes) rotate();
  }

  const redact = (text: string) => withoutCredentials(secrets.redact(text));
  // Redacted before it is cut: a truncated token would not be found.
  const clean = (text: string) => printable(redact(text));

  function write(level: LogLevel, area: string, text: string, more?: string): void {
    if (!isLevelShown(level, minLevel)) return;
    const [message = '', ...lines] = clean(more === undefined ? text : `${text}\n${more}`).split('\n');
    const detail = lines.join('\n').slice(0, maxLogDetail);
    const entry: LogEntry = {
      time: new Date(now()).toISOString(),
      level,
      area: clean(area).slice(0, maxLogArea),
      message: message.slice(0, maxLogMessage),
      ...(detail !== '' && { detail }),
    };
    echo(logLine(entry));
    try {
      append(`${JSON.stringify(entry)}\n`);
    } catch {
      // The disk is full or read-only: the entry was printed to a terminal, if any.
    }
  }

  return {
    redact,
    error: (area, error) => write('error', area, textOf(error)),
    warn: (...entry) => write('warn', ...entry),
    info: (...entry) => write('info', ...entry),
    debug: (...entry) => write('debug', ...entry),
    addToken(token) {
      if (tokens.has(token)) return;
      tokens.add(token);
      secrets = createRedactor(...tokens);
    },
  };
}
