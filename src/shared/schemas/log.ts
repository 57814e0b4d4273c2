import * as v from 'valibot';

/** Most severe first. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof logLevels)[number];

/**
 * One line of a log file, as JSON. Tokens and other credentials are removed before it is written;
 * names of files and folders are not.
 */
export interface LogEntry {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly level: LogLevel;
  /** The part of Timbre that wrote it: `app`, `job`, `queue`, `watch`, `network` and so on. */
  readonly area: string;
  /** One line. */
  readonly message: string;
  /** More lines, such as the stack of an error and its causes. */
  readonly detail?: string;
}

export const maxLogArea = 64;
/** Longest `message` and `detail`, in UTF-16 units. */
export const maxLogMessage = 1000;
export const maxLogDetail = 10_000;

export const logEntry = v.object({
  time: v.pipe(v.string(), v.isoTimestamp()),
  level: v.picklist(logLevels),
  area: v.string(),
  message: v.string(),
  detail: v.exactOptional(v.string()),
});

/** An entry with its place in the log, which no other entry has: a key, and a cursor for reading on from it. */
export interface LogRow extends LogEntry {
  readonly id: string;
}

/** Selects entries that are at least this severe and contain every word of `text`, in any case. */
export interface LogFilter {
  readonly level: LogLevel;
  readonly text: string;
}

/**
 * Which part of the log to read: `older` ends before the cursor, or at the end of the log if it is null; `newer`
 * begins at the cursor.
 */
export interface LogQuery extends LogFilter {
  readonly direction: 'older' | 'newer';
  readonly cursor: string | null;
}

/** A part of the log, oldest entry first. It may be empty although others match: then read on from its cursors. */
export interface LogPage {
  readonly rows: readonly LogRow[];
  /** Where the next older page ends; null at the beginning of the log. */
  readonly start: string | null;
  /** Where newer entries begin. */
  readonly end: string;
}

export const logQuery = v.object({
  level: v.picklist(logLevels),
  text: v.pipe(v.string(), v.maxLength(200)),
  direction: v.picklist(['older', 'newer']),
  cursor: v.nullable(v.pipe(v.string(), v.maxLength(100))),
});

/** True for the levels that a filter shows: its own and the more severe ones. */
export const isLevelShown = (level: LogLevel, filter: LogLevel): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(filter);

export function matchesLog({ level, area, message, detail = '' }: LogEntry, filter: LogFilter): boolean {
  if (!isLevelShown(level, filter.level)) return false;
  const words = filter.text.toLowerCase().split(/\s+/);
  const text = `${area} ${message} ${detail}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** An entry as text, for a report or the clipboard: the message first, each line of the detail indented. */
export function logText({ time, level, area, message, detail }: LogEntry): string {
  const head = `${time} ${level} ${area}: ${message}`;
  return detail === undefined ? head : `${head}\n${detail.replace(/^/gm, '    ')}`;
}
