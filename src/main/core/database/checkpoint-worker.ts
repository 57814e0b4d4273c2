import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { servePool } from '../../../sound/serve-pool.ts';
import type { CheckpointTask } from './checkpoints.ts';
import { databaseUrl } from './sqlite.ts';
import { isWriteBlocked } from './write-gate.ts';

/** What is not copied stays in the log. */
function checkpoint({ path, truncates }: CheckpointTask): void {
  let database: DatabaseSync | undefined;
  try {
    // Never creates it: a repair may have moved it away.
    database = new DatabaseSync(databaseUrl(pathToFileURL(path), 'mode=rw'), { timeout: 0 });
    // This locks out no writer, so that almost nothing is left for the truncation, which does.
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    if (truncates) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isWriteBlocked(error)) throw error;
  } finally {
    database?.close();
  }
}

/** Entry of the worker thread that copies the log into the database, which on a slow disk takes seconds. */
servePool((task: CheckpointTask) => {
  checkpoint(task);
  return Promise.resolve();
});
