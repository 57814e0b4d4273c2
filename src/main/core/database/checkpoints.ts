import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from '../../../sound/worker-pool.ts';
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
/** A log of this length is copied before the next batch of writes: it begins anew only once nothing is left to copy. */
const maxPagesBeforeBatch = 4 * pagesPerCheckpoint;
/** Even if the worker is late, the log stays below 64 MB. */
const maxPages = 16_000;

const catchUps = new WeakMap<DatabaseSync, () => Promise<void>>();

/**
 * Call between two batches of writes. Lets other work run, and waits where they come faster than the worker copies them:
 * the log would grow until this thread had to.
 */
export async function nextBatch(database: DatabaseSync): Promise<void> {
  await nextTurn();
  await catchUps.get(database)?.();
}

export function createCheckpoints({ database, workerUrl, onDefect }: Dependencies): Checkpoints {
  if (!workerUrl) return { truncate: () => truncateHere(database, onDefect), stop: () => Promise.resolve() };
  const options: WorkerPoolOptions = { workerUrl };
  const path = database.location() ?? '';
  const checkpointFrom = (pages: number) => database.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  checkpointFrom(maxPages);
  const selectPages = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  /** A thread takes 15 MB or so: it runs from the first checkpoint to the next truncation. */
  let pool: WorkerPool<CheckpointTask, void> | undefined;
  let running = 0;
  let latest = Promise.resolve();
  let isStopped = false;

  async function releasePool(): Promise<void> {
    const released = pool;
    pool = undefined;
    await released?.stop();
  }

  async function run(truncates: boolean): Promise<void> {
    pool ??= createWorkerPool(options);
    running += 1;
    try {
      await pool.run({ path, truncates });
    } catch (error) {
      if (isStopped) return;
      unsubscribe();
      catchUps.delete(database);
      checkpointFrom(pagesPerCheckpoint);
      void releasePool();
      onDefect(error);
    } finally {
      running -= 1;
    }
  }

  function countPages(): { readonly log: number; readonly left: number } {
    try {
      const { log, checkpointed } = selectPages.get() ?? {};
      return { log: Number(log), left: Number(log) - Number(checkpointed) };
    } catch {
      // The commit before it has succeeded, and must not seem to have failed.
      return { log: 0, left: 0 };
    }
  }

  const unsubscribe = onCommit(database, () => {
    if (running === 0 && countPages().left >= pagesPerCheckpoint) latest = run(false);
  });
  catchUps.set(database, async () => {
    if (countPages().log < maxPagesBeforeBatch) return;
    // What was written since it began is left.
    await latest;
    if (!isStopped && countPages().left > 0) await (latest = run(false));
  });
  return {
    async truncate() {
      // Of a log that never was long, little is left to copy.
      if (!pool) return truncateHere(database, onDefect);
      await run(true);
      if (running === 0 && !isStopped) await releasePool();
    },
    async stop() {
      isStopped = true;
      unsubscribe();
      catchUps.delete(database);
      await releasePool();
    },
  };
}

function truncateHere(database: DatabaseSync, onDefect: (error: unknown) => void): Promise<void> {
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
}
