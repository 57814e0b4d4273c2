import { appendFileSync, chmodSync, closeSync, fstatSync, openSync, readSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { controlCharacters } from '../../../shared/text/control-characters.ts';
import { createRedactor, redacted } from '../secrets/redact.ts';

/** Errors that were not shown to the user, in two files of the data folder that only this user can read. */
export interface Log {
  /** Never throws, and writes synchronously: the app may be about to exit. */
  write(where: string, error: unknown): void;
  /** Removes tokens and other credentials from a text. */
  redact(text: string): string;
  /** Redacts this token from now on. */
  addToken(token: string): void;
  /** The newest entries, as stored. */
  newest(): string;
}

interface Dependencies {
  readonly folder: string;
  now(): number;
  /** Also prints the line to a terminal. */
  echo(line: string): void;
}

/** Both files together stay below 5 MB. */
const maxFileBytes = 2_400_000;
const maxEntryLength = 10_000;
const newestBytes = 60_000;

/** Removes user info and query from URLs, and what follows `Bearer`. */
const withoutCredentials = (text: string): string =>
  text
    .replace(/\b(https?:\/\/)[^\s"'<>]*@/gi, `$1${redacted}@`)
    .replace(/\b(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, `$1?${redacted}`)
    .replace(/\b(bearer|token|authorization)(["']?\s*[:=]?\s+)[^\s"',]{4,}/gi, `$1$2${redacted}`);

const printable = (text: string): string =>
  text.replace(controlCharacters, (sign) => (sign === '\n' || sign === '\t' ? sign : '\ufffd'));

export function createLog({ folder, now, echo }: Dependencies): Log {
  const path = join(folder, 'timbre.log');
  const earlier = join(folder, 'timbre.1.log');
  const tokens = new Set<string>();
  let secrets = createRedactor();

  function append(entry: string): void {
    const file = openSync(path, 'a', 0o600);
    let { size } = fstatSync(file);
    try {
      if (process.platform !== 'win32' && (fstatSync(file).mode & 0o077) !== 0) chmodSync(path, 0o600);
      appendFileSync(file, entry);
      size += entry.length;
    } finally {
      closeSync(file);
    }
    if (size > maxFileBytes) renameSync(path, earlier);
  }

  function newest(): string {
    for (const candidate of [path, earlier]) {
      try {
        const file = openSync(candidate, 'r');
        try {
          const { size } = fstatSync(file);
          const from = Math.max(0, size - newestBytes);
          const bytes = Buffer.alloc(size - from);
          const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, from));
          // The cut may be in the middle of a line.
          return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
        } finally {
          closeSync(file);
        }
      } catch {
        // Missing or unreadable: the other file may still be readable.
      }
    }
    return '';
  }

  const redact = (text: string) => withoutCredentials(secrets.redact(text));

  return {
    redact,
    write(where, error) {
      const text =
        typeof error === 'string' ? error : inspect(error, { depth: 4, maxStringLength: 2000, maxArrayLength: 20 });
      const entry = printable(redact(text)).slice(0, maxEntryLength);
      echo(`${where}: ${entry}`);
      try {
        append(`${new Date(now()).toISOString()} ${printable(where)}: ${entry}\n`);
      } catch {
        // The disk is full or read-only: the error was printed to a terminal, if any.
      }
    },
    addToken(token) {
      if (tokens.has(token)) return;
      tokens.add(token);
      secrets = createRedactor(...tokens);
    },
    newest,
  };
}
