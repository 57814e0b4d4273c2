import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { HistoryList } from '../../../shared/schemas/history.ts';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { createWriteGate } from '../database/write-gate.ts';
import { createNameOrder } from '../name-order.ts';
import { createJobStore, type JobStore } from '../jobs/job-store.ts';
import { acquireProcessLock } from '../jobs/process-lock.ts';
import { createStatisticsReader, type StatisticsReader } from './statistics.ts';
import { createHistory, type History, type HistoryChange } from './history.ts';

export interface OpenHistory {
  readonly database: DatabaseSync;
  readonly store: JobStore;
  readonly history: History;
  readonly statistics: StatisticsReader;
  readonly clock: { now: () => number };
  /** Searches, and waits until the list is counted. */
  listed(text: string): Promise<HistoryList>;
  nextChange(): Promise<HistoryChange>;
  close(): Promise<void>;
}

/** History of a data folder as the app opens it, for tests; a defect fails the test. */
export async function openHistory(folder: string, clock: { now: () => number }): Promise<OpenHistory> {
  const onDefect = (error: unknown) => {
    throw error;
  };
  const database = await openDatabase(folder);
  const processLock = acquireProcessLock(folder);
  const store = createJobStore({
    database,
    clock: { now: () => clock.now(), sleep: () => Promise.resolve() },
    processLock,
    isCommand: false,
    onDefect,
  });
  const workerUrl = new URL('./list-worker.ts', import.meta.url);
  const writes = createWriteGate({ database, clock: { now: () => clock.now(), sleep: systemClock.sleep }, onDefect });
  const compareNames = createNameOrder(() => 'en');
  const history = createHistory({ database, clock, store, writes, workerUrl, compareNames, onDefect });
  const statistics = createStatisticsReader({
    database,
    clock: { now: () => clock.now() },
    workerUrl: new URL('./statistics-worker.ts', import.meta.url),
  });
  const next = <T>(listen: (listener: (value: T) => void) => () => void): Promise<T> =>
    new Promise((resolve) => {
      const end = listen((value) => {
        end();
        resolve(value);
      });
    });
  return {
    database,
    store,
    history,
    statistics,
    clock,
    listed(text) {
      const counted = next(history.onListed);
      history.search(text);
      return counted;
    },
    nextChange: () => next(history.onChanged),
    async close() {
      await history.stop();
      await statistics.stop();
      writes.stop();
      database.close();
      processLock.release();
    },
  };
}

/** A data folder of its own, and how to be rid of it. */
export async function temporaryFolder(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-history-'));
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
