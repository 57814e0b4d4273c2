import type { DatabaseSync } from 'node:sqlite';
import { createWorkerPool } from '../../../sound/worker-pool.ts';
import { busyTimeoutMs, onCommit } from './sqlite.ts';
import { isWriteBlocked } from './write-gate.ts';

/** A task for the checkpoint worker. */
export interface CheckpointTask {
  /** Path of the database. */
  readonly path: string;
  /** Also empties the log, for which it must wait for writers and readers. */
  readonly truncates: boolean;
}

/** Copies the write-ahead log into the database: https://www.sqlite.org/wal.html#ckpt */
export interface Checkpoints {
  /**
   * Empties the log, which keeps old contents of rows, such as a result's signed URL, until they are overwritten. Does
   * nothing inside a transaction or while another process reads; the next idle process does it.
   */
  truncate(): Promise<void>;
  /** Call before the database is closed. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  /** Worker module that makes them. Without it this thread does, which waits for the disk. */
  readonly workerUrl?: URL | undefined;
  onDefect(error: unknown): void;
}

/** As many as by default: https://www.sqlite.org/pragma.html#pragma_wal_autocheckpoint */
const pagesPerCheckpoint = 1000;
/** Even if the worker is late, the log stays below 64 MB. */
const maxPages = 16_000;

export function createCheckpoints({ database, workerUrl, onDefect }: Dependencies): Checkpoints {
  if (!workerUrl) return createOwnCheckpoints(database, onDefect);
  const path = database.location() ?? '';
  const checkpointFrom = (pages: number) => database.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  checkpointFrom(maxPages);
  const selectPages = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  const pool = createWorkerPool<CheckpointTask, void>({ workerUrl });
  let isRunning = false;
  let isStopped = false;

  async function run(truncates: boolean): Promise<void> {
    try {
      await pool.run({ path, truncates });
    } catch (error) {
      if (isStopped) return;
      unsubscribe();
      checkpointFrom(pagesPerCheckpoint);
      onDefect(error);
    }
  }

  function isDue(): boolean {
    try {
      const { log, checkpointed } = selectPages.get() ?? {};
      return Number(log) - Number(checkpointed) >= pagesPerCheckpoint;
    } catch {
      // The commit has succeeded, and must not seem to have failed.
      return false;
    }
  }

  const unsubscribe = onCommit(database, () => {
    if (isRunning || !isDue()) return;
    isRunning = true;
    void run(false).finally(() => (isRunning = false));
  });
  return {
    truncate: () => run(true),
    async stop() {
      isStopped = true;
      unsubscribe();
      await pool.stop();
    },
  };
}

/** SQLite makes them in the commits of this thread. */
const createOwnCheckpoints = (database: DatabaseSync, onDefect: (error: unknown) => void): Checkpoints => ({
  truncate() {
    if (!database.isOpen || database.isTransaction) return Promise.resolve();
    database.exec('PRAGMA busy_timeout = 0');
    try {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!isWriteBlocked(error)) onDefect(error);
    } finally {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
    return Promise.resolve();
  },
  stop: () => Promise.resolve(),
});
