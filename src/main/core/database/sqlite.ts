import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isDiskFull } from '../files/errno.ts';

/** SQLITE_CORRUPT and SQLITE_NOTADB: https://www.sqlite.org/rescode.html */
const damageCodes = [11, 26] as const;

/** True for an error of SQLite with one of these primary result codes. */
export const hasResultCode = (error: unknown, codes: readonly number[]): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  codes.includes(error.errcode & 0xff);

/** True if the database file is damaged, as opposed to inaccessible. */
export const isDamage = (error: unknown): boolean => hasResultCode(error, damageCodes);

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE, when the memory that connections share cannot grow: https://www.sqlite.org/rescode.html */
const fullCodes: readonly number[] = [13, 4874];

/** True if the disk of the database, or the user's share of it, is full. */
export const isFull = (error: unknown): boolean =>
  isDiskFull(error) ||
  (error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    fullCodes.includes(error.errcode));

/** SQLITE_CANTOPEN: https://www.sqlite.org/rescode.html */
const cannotOpenCodes = [14] as const;

const hasLog = (path: string): boolean => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * The address under which SQLite opens an existing file: https://www.sqlite.org/uri.html
 * It accepts no server in it: that of a Windows share becomes part of the path.
 */
export const databaseUrl = ({ host, pathname }: URL, parameter: 'mode=rw' | 'immutable=1'): URL =>
  new URL(`file://${host && `//${host}`}${pathname}?${parameter}`);

/** Opens a database to read it, while others write to it or in a folder that nobody may write to. */
export function openReadOnly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    // The log is opened by the first read.
    database.prepare('PRAGMA user_version').get();
    return database;
  } catch (error) {
    database.close();
    // In a folder that is not writable, SQLite cannot create the files that readers share with writers. Without a log,
    // the database is whole without them: https://www.sqlite.org/wal.html#read_only_databases
    if (!hasResultCode(error, cannotOpenCodes) || hasLog(path)) throw error;
    return new DatabaseSync(databaseUrl(pathToFileURL(path), 'immutable=1'), { readOnly: true });
  }
}

/** Reads every page and describes the first damage; null if there is none. Takes seconds. */
export function findDamage(path: string): string | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const found = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    return found === 'ok' ? null : String(found);
  } catch (error) {
    if (isDamage(error)) return String(error);
    throw error;
  } finally {
    database?.close();
  }
}

/** Callbacks to run after the open transaction commits, by database. */
const afterCommits = new WeakMap<DatabaseSync, (() => void)[]>();

/** Runs `callback` after the outermost `transaction` commits, never if it fails; at once outside a transaction. */
export function afterCommit(database: DatabaseSync, callback: () => void): void {
  const callbacks = afterCommits.get(database);
  if (callbacks) callbacks.push(callback);
  else callback();
}

const commitListeners = new WeakMap<DatabaseSync, () => void>();

/** Calls `listener` after each transaction of this connection. */
export function onCommit(database: DatabaseSync, listener: () => void): () => void {
  commitListeners.set(database, listener);
  return () => void commitListeners.delete(database);
}

/** Runs `work` under the write lock and commits all of it or nothing. Inside a transaction, it becomes part of it. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  const isInside = () => database.isTransaction;
  if (isInside()) return work();
  database.exec('BEGIN IMMEDIATE');
  const callbacks: (() => void)[] = [];
  afterCommits.set(database, callbacks);
  let result: T;
  try {
    result = work();
    database.exec('COMMIT');
  } catch (error) {
    afterCommits.delete(database);
    // A failed COMMIT may have ended the transaction already.
    if (isInside()) database.exec('ROLLBACK');
    throw error;
  }
  afterCommits.delete(database);
  commitListeners.get(database)?.();
  for (const run of callbacks) run();
  return result;
}

/**
 * Runs `work` without syncing its commits to disk: they survive the process, but a power cut may undo the last
 * ones. The next synced commit includes them. Inside a transaction, `work` becomes part of it.
 */
export function relaxedCommit<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}

/**
 * Returns a function that reads a number, which differs once another connection has written:
 * https://www.sqlite.org/pragma.html#pragma_data_version
 */
export function createVersionReader(database: DatabaseSync): () => unknown {
  const select = database.prepare('PRAGMA data_version');
  return () => select.get()?.['data_version'];
}

/** Values computed from the database, valid until `forget` or a write by another process. */
interface CachedUntilWrite<T> {
  get(key: string): T;
  /** Call after this process changes the data behind `key`. */
  forget(key: string): void;
}

/** Caches values that are read far more often than they change. */
export function cachedUntilWrite<T>(database: DatabaseSync, compute: (key: string) => T): CachedUntilWrite<T> {
  const values = new Map<string, T>();
  const readVersion = createVersionReader(database);
  let lastVersion: unknown;

  return {
    get(key) {
      const now = readVersion();
      if (now !== lastVersion) values.clear();
      lastVersion = now;
      const known = values.get(key);
      if (known !== undefined) return known;
      const value = compute(key);
      values.set(key, value);
      return value;
    },
    forget: (key) => void values.delete(key),
  };
}

/** Longest wait for another process's lock; longer would block the window. The write gate retries after it. */
export const busyTimeoutMs = 1000;
