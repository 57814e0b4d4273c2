import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` under the write lock; all of it is committed, or nothing. Inside another transaction it is simply a part of that. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  const isInside = () => database.isTransaction;
  if (isInside()) return work();
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A failed COMMIT may have ended the transaction already.
    if (isInside()) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Runs `work` without waiting for the disk at its commits: they outlive the process, and a power cut may take the last of them back. The
 * next commit that waits takes them along. Inside a transaction it is simply a part of that.
 */
export function withoutWaiting<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}
