import { DatabaseSync } from 'node:sqlite';

/** SQLITE_CORRUPT and SQLITE_NOTADB: https://www.sqlite.org/rescode.html */
const damageCodes: readonly unknown[] = [11, 26];

/** True where SQLite could not make sense of its file, as opposed to not getting at it. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  damageCodes.includes(error.errcode & 0xff);

/** Reads every page of a database and says what is wrong with the first bad one; null where all are sound. It takes seconds. */
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

/** What is to be done once the transaction that is open has been committed, by database. */
const afterCommits = new WeakMap<DatabaseSync, (() => void)[]>();

/** Does `act` once the outermost `transaction` around it is committed, never where that fails; at once outside of any. */
export function afterCommit(database: DatabaseSync, act: () => void): void {
  const acts = afterCommits.get(database);
  if (acts) acts.push(act);
  else act();
}

/** Runs `work` under the write lock; all of it is committed, or nothing. Inside another transaction it is simply a part of that. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  const isInside = () => database.isTransaction;
  if (isInside()) return work();
  database.exec('BEGIN IMMEDIATE');
  const acts: (() => void)[] = [];
  afterCommits.set(database, acts);
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
  for (const act of acts) act();
  return result;
}

/**
 * Runs `work` without waiting for the disk at its commits: they outlive the process, and a power cut may take the last of them back. The
 * next commit that waits takes them along. Inside a transaction it is simply a part of that.
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

/** What was computed from the database, until it is `forget`ed here or another process writes. */
export interface CachedUntilWrite<T> {
  get(key: string): T;
  /** This process wrote what belongs to `key`. */
  forget(key: string): void;
}

/** Keeps what is asked for far more often than it changes. https://www.sqlite.org/pragma.html#pragma_data_version */
export function cachedUntilWrite<T>(database: DatabaseSync, compute: (key: string) => T): CachedUntilWrite<T> {
  const kept = new Map<string, T>();
  const version = database.prepare('PRAGMA data_version');
  let keptVersion: unknown;

  return {
    get(key) {
      const now = version.get()?.['data_version'];
      if (now !== keptVersion) kept.clear();
      keptVersion = now;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const value = compute(key);
      kept.set(key, value);
      return value;
    },
    forget: (key) => void kept.delete(key),
  };
}

/** Writes take a few milliseconds. One that waits longer than this for another process blocks the window: the write gate retries it. */
export const busyTimeoutMs = 1000;
