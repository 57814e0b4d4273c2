import type { DatabaseSync } from 'node:sqlite';

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
export function withoutWaiting<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}
