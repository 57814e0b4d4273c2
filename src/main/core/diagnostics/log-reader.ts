import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  logEntry,
  type LogEntry,
  type LogPage,
  type LogQuery,
  type LogRow,
  matchesLog,
} from '../../../shared/schemas/log.ts';
import { AppError } from '../../../shared/errors.ts';
import { openFile } from '../files/content.ts';
import { errnoOf } from '../files/errno.ts';
import { logFileNames } from './log.ts';

/**
 * Reads the log of a data folder in pages, from its end or on from a cursor, while processes write it. Throws
 * `input/unreadable` if the newest file cannot be read.
 */
export type ReadLog = (query: LogQuery) => Promise<LogPage>;

/** More than the longest line. */
const chunkBytes = 256 * 1024;
/** A page ends after this many rows, bytes of rows or bytes read, so that a rare match keeps nobody waiting. */
const maxRows = 500;
const maxRowBytes = 1_000_000;
const maxReadBytes = 4_000_000;

interface LogFile {
  readonly handle: FileHandle;
  /** Stays the same when the file is renamed, and changes when it is emptied; an inode may be used again at once. */
  readonly id: string;
  readonly size: number;
}

/** A line that begins an entry, with the lines of a plain-text entry that follow it. */
interface FoundEntry {
  readonly entry: LogEntry;
  readonly isPlainText: boolean;
  readonly offset: number;
  readonly bytes: number;
}

const newline = '\n'.charCodeAt(0);
/** The lines of versions before 0.2, which recorded only errors. */
const plainText = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([^:]+): (.*)$/;

function parseLine(line: string): Pick<FoundEntry, 'entry' | 'isPlainText'> | null {
  const [, time, area, message] = plainText.exec(line) ?? [];
  if (time !== undefined) {
    return { entry: { time, level: 'error', area: area ?? '', message: message ?? '' }, isPlainText: true };
  }
  try {
    const { success, output } = v.safeParse(logEntry, JSON.parse(line));
    return success ? { entry: output, isPlainText: false } : null;
  } catch {
    return null;
  }
}

/** The entries in whole lines that begin at `offset`. A line that is none continues a plain-text entry, or is damaged. */
function parseLines(bytes: Buffer, offset: number): readonly FoundEntry[] {
  const found: FoundEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(newline, at);
    const next = end < 0 ? bytes.length : end + 1;
    const line = bytes.toString('utf8', at, end < 0 ? bytes.length : end);
    const parsed = parseLine(line);
    const last = found.at(-1);
    if (parsed) found.push({ ...parsed, offset: offset + at, bytes: next - at });
    else if (last?.isPlainText) {
      const { detail } = last.entry;
      const entry = { ...last.entry, detail: detail === undefined ? line : `${detail}\n${line}` };
      found[found.length - 1] = { ...last, entry, bytes: last.bytes + next - at };
    }
    at = next;
  }
  return found;
}

async function readRange(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, to - from));
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
  return bytes.subarray(0, bytesRead);
}

/** Identifies a file by the beginning of its first line. */
const headBytes = 512;

/** Null for a file that is missing or has no entry. */
async function openLogFile(path: string): Promise<LogFile | null> {
  const handle = await openFile(path).catch((cause: unknown) => {
    if (errnoOf(cause) === 'ENOENT') return null;
    throw new AppError('input/unreadable', `cannot read ${path}`, { cause });
  });
  if (handle === null) return null;
  const { size } = await handle.stat();
  const head = await readRange(handle, 0, headBytes);
  const end = head.indexOf(newline);
  if (end < 0 && head.length < headBytes) {
    await handle.close();
    return null;
  }
  const line = head.subarray(0, end < 0 ? headBytes : end);
  return { handle, size, id: createHash('sha256').update(line).digest('hex').slice(0, 16) };
}

/** A place in a file: `<id of the file>:<offset>`, then the ids of the files before it, newest first. */
interface Cursor {
  readonly id: string;
  readonly offset: number;
  readonly earlier: readonly string[];
}

function parseCursor(cursor: string | null): Cursor {
  const [place = '', ...earlier] = (cursor ?? '').split(',');
  const [id = '', offset = ''] = place.split(':');
  return { id, offset: /^\d{1,15}$/.test(offset) ? Number(offset) : 0, earlier };
}

/** `files` are newest first. */
const formatCursor = (files: readonly LogFile[], { id }: LogFile, offset: number): string =>
  [`${id}:${offset}`, ...files.slice(files.findIndex((file) => file.id === id) + 1).map((file) => file.id)].join(',');

/** Collects matching rows until the page is full. */
function createPage(query: LogQuery) {
  const rows: LogRow[] = [];
  let rowBytes = 0;
  let readBytes = 0;
  return {
    rows,
    add(id: string, { entry, offset, bytes }: FoundEntry): void {
      if (!matchesLog(entry, query)) return;
      // With the time: an entry may take the place of one that was cut off the file.
      rows.push({ ...entry, id: `${id}:${offset}:${Date.parse(entry.time).toString(36)}` });
      rowBytes += bytes;
    },
    countRead: (bytes: number) => void (readBytes += bytes),
    hasRoom: () => rows.length < maxRows && rowBytes < maxRowBytes,
    isFull: () => rows.length >= maxRows || rowBytes >= maxRowBytes || readBytes >= maxReadBytes,
  };
}

/** `files` are newest first. */
async function readOlder(files: readonly LogFile[], query: LogQuery): Promise<LogPage> {
  const page = createPage(query);
  const cursor = parseCursor(query.cursor);
  const isCursorFile = ({ id }: LogFile) => id === cursor.id;
  // If its file is gone, those before it are left.
  const first =
    query.cursor === null
      ? 0
      : files.findIndex(files.some(isCursorFile) ? isCursorFile : ({ id }) => cursor.earlier.includes(id));
  const [newest] = files;
  let end = query.cursor ?? '';
  let start: string | null = null;
  for (const [k, file] of (first < 0 ? [] : files.slice(first)).entries()) {
    const { handle, id } = file;
    const isNewest = query.cursor === null && file === newest;
    let to = isCursorFile(file) ? Math.min(cursor.offset, file.size) : file.size;
    if (isNewest) {
      // Another process may be writing the last line.
      const tail = await readRange(handle, Math.max(0, to - chunkBytes), to);
      to -= tail.length - (tail.lastIndexOf(newline) + 1);
      end = formatCursor(files, file, to);
    }
    while (to > 0 && !page.isFull()) {
      const from = Math.max(0, to - chunkBytes);
      const bytes = await readRange(handle, from, to);
      page.countRead(bytes.length);
      // The first line of a chunk is cut, unless the file begins there.
      const cut = from === 0 ? 0 : bytes.indexOf(newline) + 1;
      const found = parseLines(bytes.subarray(cut), from + cut);
      // An entry may end in the line that is cut.
      to = found[0]?.offset ?? (cut < bytes.length ? from + cut : from);
      for (const each of found.toReversed()) {
        if (!page.hasRoom()) break;
        page.add(id, each);
        to = each.offset;
      }
      if (from === 0 && page.hasRoom()) to = 0;
    }
    start = to > 0 || first + k < files.length - 1 ? formatCursor(files, file, to) : null;
    if (page.isFull()) break;
  }
  return { rows: page.rows.reverse(), start, end };
}

async function readNewer(files: readonly LogFile[], query: LogQuery): Promise<LogPage> {
  const page = createPage(query);
  const cursor = parseCursor(query.cursor);
  // The cursor's file may be gone, and so may those before it: what is left has not been read.
  const known = files.findIndex(({ id }) => id === cursor.id || cursor.earlier.includes(id));
  const ahead = files.slice(0, known < 0 ? undefined : files[known]?.id === cursor.id ? known + 1 : known);
  let end = query.cursor ?? '';
  for (const file of ahead.toReversed()) {
    const { handle, id, size } = file;
    let from = id === cursor.id ? Math.min(cursor.offset, size) : 0;
    while (from < size && !page.isFull()) {
      const bytes = await readRange(handle, from, Math.min(size, from + chunkBytes));
      page.countRead(bytes.length);
      const whole = bytes.lastIndexOf(newline) + 1;
      if (whole === 0) {
        if (bytes.length < chunkBytes) break;
        // No entry is as long as this.
        from += bytes.length;
        continue;
      }
      let next = from + whole;
      for (const each of parseLines(bytes.subarray(0, whole), from)) {
        if (!page.hasRoom()) {
          next = each.offset;
          break;
        }
        page.add(id, each);
      }
      from = next;
    }
    end = formatCursor(files, file, from);
    if (page.isFull()) break;
  }
  return { rows: page.rows, start: query.cursor, end };
}

export const createLogReader =
  (folder: string): ReadLog =>
  async (query) => {
    const files: LogFile[] = [];
    try {
      for (const name of logFileNames) {
        const file = await openLogFile(join(folder, name)).catch((error: unknown) => {
          // The newest entries are worth more than these.
          if (name === logFileNames[0]) throw error;
          return null;
        });
        if (file !== null) files.push(file);
      }
      // A file that was renamed meanwhile was opened twice; the first of two copies is the one that grows.
      const distinct = files.filter((file, k) => files.findIndex(({ id }) => id === file.id) === k);
      return await (query.direction === 'older' ? readOlder : readNewer)(distinct, query);
    } finally {
      await Promise.all(files.map(({ handle }) => handle.close()));
    }
  };
