import { availableParallelism } from 'node:os';
import { servePool } from '../../../sound/serve-pool.ts';
import { createWorkerPool } from '../../../sound/worker-pool.ts';
import { openReadOnly } from '../database/sqlite.ts';
import {
  computeStatistics,
  readSlice,
  type Slice,
  type SliceRequest,
  type StatisticsOptions,
} from './compute-statistics.ts';

/** `path`: of the database. */
export type StatisticsRequest = { readonly path: string } & (StatisticsOptions | SliceRequest);

/** More hardly pay: the database is read from one disk. */
const maxThreads = Math.min(4, availableParallelism());
/** Fewer are read sooner than another thread starts. */
const entriesPerThread = 100_000;

/** Further threads, which read slices of large histories beside this one. */
const helpers = createWorkerPool<StatisticsRequest, Slice>({
  workerUrl: new URL(import.meta.url),
  size: maxThreads - 1,
});

/** Worker that sums up history: a million entries take more than a second, too long for the main thread. */
servePool(async ({ path, ...request }: StatisticsRequest, signal) => {
  const database = openReadOnly(path);
  try {
    if ('starts' in request) return await readSlice(database, request, signal);
    const read = async ([first, ...others]: readonly SliceRequest[]) => {
      const helped = others.map((slice) => helpers.run({ path, ...slice }, { signal }));
      return Promise.all([...(first ? [readSlice(database, first, signal)] : []), ...helped]);
    };
    return await computeStatistics(
      database,
      request,
      { maxSlices: maxThreads, minEntries: entriesPerThread, read },
      signal,
    );
  } finally {
    database.close();
  }
});
