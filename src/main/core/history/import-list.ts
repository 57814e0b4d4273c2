import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import type { RefusedLine } from '../../../shared/schemas/history.ts';
import type { HistoryArchive } from './archive-reader.ts';
import { archiveLine, type ArchiveLine, historyHeader, resultName } from './archive-format.ts';

/** The text of a speech job is the longest part of a line: at most 16 MiB, of which each byte may be two in JSON. */
const maxLineBytes = 33 * 1024 ** 2;
/** More consecutive lines or bytes without an entry mean damage, not a few edited lines. */
const maxInvalidLines = 10_000;
const maxInvalidBytes = 64 * 1024 * 1024;
/** The window stays responsive meanwhile. */
const turnMs = 8;

/** Stands in for a line that exceeds the maximum length. */
const tooLong = Symbol('a line that is too long');

const lineEnd = 0x0a;

/**
 * The lines of a stream without line ends; `tooLong` for a longer one. Memory use does not depend
 * on the stream.
 */
async function* textLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<string | typeof tooLong> {
  let parts: Buffer[] = [];
  let lineBytes = 0;
  const append = (part: Buffer) => {
    lineBytes += part.length;
    if (lineBytes <= maxLineBytes) parts.push(part);
    else parts = [];
  };
  const endLine = () => {
    const line = lineBytes > maxLineBytes ? tooLong : Buffer.concat(parts).toString('utf8');
    parts = [];
    lineBytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, start)) {
      append(chunk.subarray(start, end));
      start = end + 1;
      yield endLine();
    }
    append(chunk.subarray(start));
  }
  if (lineBytes > 0) yield endLine();
}

/** Some editors on Windows add it. */
const byteOrderMark = /^\ufeff/;
const header = v.object({ timbre: v.literal(historyHeader.timbre), version: v.number() });

function parseJson<S extends v.GenericSchema>(schema: S, line: string): v.InferOutput<S> | null {
  try {
    const result = v.safeParse(schema, JSON.parse(line));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}

/** The entry of a line, or why it has none. */
function readLine(text: string | typeof tooLong): ArchiveLine | Omit<RefusedLine, 'line'> {
  if (text === tooLong) return { reason: 'too-long', field: '' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: 'no-object', field: '' };
  }
  const parsed = v.safeParse(archiveLine, value);
  if (parsed.success) {
    const { output: line } = parsed;
    if (!line.result) return line;
    return { ...line, result: { ...line.result, name: resultName(line.result.name, line.outputFormat) } };
  }
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue) ?? '';
  if (field === '') return { reason: 'no-object', field };
  return { reason: issue.received === 'undefined' ? 'missing' : 'wrong', field };
}

function assertHeader(line: string | typeof tooLong, path: string): void {
  const found = line === tooLong ? null : parseJson(header, line.replace(byteOrderMark, ''));
  const facts = { name: basename(path) };
  if (!found) throw new AppError('history/not-an-export', `${path} does not begin as a history`, { facts });
  if (found.version > historyHeader.version) {
    throw new AppError('history/export-newer', `${path} has version ${found.version}`, { facts });
  }
}

/** An entry of a list. */
export interface ListedEntry {
  readonly entry: ArchiveLine;
  /** Characters of its line. */
  readonly length: number;
  /** Bytes of the list up to its end. */
  readonly readBytes: number;
}

interface Options {
  /** Of the archive, for messages. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** A line that holds no entry; blank ones are skipped. */
  onRefused(line: RefusedLine): void;
}

/**
 * Yields the entries of a list. Throws `history/not-an-export` and `history/export-newer` before the first one,
 * `history/export-damaged` after the last one that can be read, and the signal's reason.
 */
export async function* readEntries(
  archive: HistoryArchive,
  { path, signal, onRefused }: Options,
): AsyncGenerator<ListedEntry> {
  /** Why reading failed before the end of the list. */
  let damage: unknown;
  let isLineEnded = true as boolean;
  let isLastNoObject = false;
  /** Invalid input since the last valid entry. */
  let invalid = { lines: 0, bytes: 0 };

  /** The readable bytes, up to the point where they cannot hold further entries. */
  async function* readable(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of archive.list()) {
        if (signal.aborted) return;
        invalid.bytes += chunk.length;
        if (invalid.bytes > maxInvalidBytes) throw new Error(`no entry in ${maxInvalidBytes} bytes`);
        yield chunk;
        isLineEnded = chunk.at(-1) === lineEnd;
      }
    } catch (error) {
      damage = error;
    }
  }

  let number = 0;
  let readBytes = 0;
  let begunMs = performance.now();
  for await (const text of textLines(readable(), maxLineBytes)) {
    signal.throwIfAborted();
    number += 1;
    readBytes += text === tooLong ? maxLineBytes : Buffer.byteLength(text) + 1;
    if (number === 1) {
      assertHeader(text, path);
      continue;
    }
    const read = readLine(text);
    isLastNoObject = 'reason' in read && read.reason === 'no-object';
    if (!('reason' in read)) {
      invalid = { lines: 0, bytes: 0 };
      yield { entry: read, length: text === tooLong ? 0 : text.length, readBytes };
    } else {
      if (text === tooLong || text.trim() !== '') onRefused({ line: number, ...read });
      invalid.lines += 1;
      if (invalid.lines >= maxInvalidLines) {
        damage = new Error(`no entry in ${maxInvalidLines} lines`);
        break;
      }
    }
    if (performance.now() - begunMs > turnMs) {
      await nextTurn();
      begunMs = performance.now();
    }
  }
  signal.throwIfAborted();
  if (number === 0) assertHeader('', path);
  if (!isLineEnded && isLastNoObject) damage ??= new Error('ends within a line');
  if (damage === undefined) return;
  const facts = { name: basename(path) };
  throw new AppError('history/export-damaged', `${path} cannot be read to its end`, { cause: damage, facts });
}
