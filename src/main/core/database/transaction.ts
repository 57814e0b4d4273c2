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
