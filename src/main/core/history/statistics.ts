import type { DatabaseSync } from 'node:sqlite';
import type { Statistics, StatisticsQuery } from '../../../shared/schemas/statistics.ts';
import { createWorkerPool } from '../../../sound/worker-pool.ts';
import type { Clock } from '../clock.ts';
import type { StatisticsRequest } from './statistics-worker.ts';

/** What history amounts to, summed up by worker threads. Nothing is cached. `stop` ends them. */
export interface StatisticsReader {
  /** Has only the leading voices. */
  read(query: StatisticsQuery, signal: AbortSignal): Promise<Statistics>;
  readWithAllVoices(query: StatisticsQuery, signal: AbortSignal): Promise<Statistics>;
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
    stop: pool.stop,
  };
}
