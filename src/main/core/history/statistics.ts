import type { DatabaseSync } from 'node:sqlite';
import type { Statistics, StatisticsQuery, StatisticsTable } from '../../../shared/schemas/statistics.ts';
import { createWorkerPool } from '../../../sound/worker-pool.ts';
import type { Clock } from '../clock.ts';
import { replaceText } from '../files/replace-file.ts';
import { csvFile } from './statistics-csv.ts';
import type { StatisticsRequest } from './statistics-worker.ts';

/** What history amounts to, summed up by worker threads. Nothing is cached. `stop` ends them. */
export interface StatisticsReader {
  /** Has only the leading voices. */
  read(query: StatisticsQuery, signal: AbortSignal): Promise<Statistics>;
  readWithAllVoices(query: StatisticsQuery, signal: AbortSignal): Promise<Statistics>;
  /** Saves a table with all voices as CSV, in place of an older file. Throws `output/…`. */
  saveTable(path: string, query: StatisticsQuery, table: StatisticsTable, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly clock: Pick<Clock, 'now'>;
  /** Worker module: `./statistics-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
}

export function createStatisticsReader({ database, clock, workerUrl }: Dependencies): StatisticsReader {
  const path = database.location();
  if (path === null) throw new Error('history is read by a second connection, and a database in memory has none');
  const pool = createWorkerPool<StatisticsRequest, Statistics>({ workerUrl });
  const compute = ({ period, kind }: StatisticsQuery, hasAllVoices: boolean, signal: AbortSignal) =>
    pool.run({ path, period, kind, hasAllVoices, now: clock.now() }, { signal });
  return {
    read: (query, signal) => compute(query, false, signal),
    readWithAllVoices: (query, signal) => compute(query, true, signal),
    saveTable: async (path, query, table, signal) =>
      replaceText(path, csvFile(await compute(query, true, signal), table)),
    stop: pool.stop,
  };
}
