import type { DatabaseSync } from 'node:sqlite';

/** What was computed from the database, until it is `forget`ed here or another process writes. */
export interface UntilWritten<T> {
  get(key: string): T;
  /** This process wrote what belongs to `key`. */
  forget(key: string): void;
}

/** Keeps what is asked for far more often than it changes. https://www.sqlite.org/pragma.html#pragma_data_version */
export function untilWritten<T>(database: DatabaseSync, compute: (key: string) => T): UntilWritten<T> {
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
