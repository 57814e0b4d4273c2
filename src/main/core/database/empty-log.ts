import type { DatabaseSync } from 'node:sqlite';
import { busyTimeoutMs } from './open-database.ts';

/**
 * Empties the log that is written ahead: it keeps what rows held before, a result's signed address among it, until it happens to be
 * written over. Does nothing inside a transaction, or while another process reads: whoever is idle next does it.
 */
export function emptyLog(database: DatabaseSync): void {
  if (!database.isOpen || database.isTransaction) return;
  database.exec('PRAGMA busy_timeout = 0');
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }
}
