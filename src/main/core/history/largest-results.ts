import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DiskResults, LargeResult } from '../../../shared/schemas/history.ts';
import { rulesOf } from '../database/search-functions.ts';
import { freeBytes } from '../files/folders.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { type FileQueries, resultOf } from './file-status.ts';

interface Dependencies {
  readonly database: DatabaseSync;
  readonly store: Pick<JobStore, 'get'>;
  readonly fileQueries: FileQueries;
}

/** Reading this many wide rows takes a few milliseconds. */
const rowsPerTurn = 2000;
/** Files that are looked at. */
const maxCandidates = 100;
const maxResultsPerDisk = 10;

/** Ids of the jobs with the largest results, largest first. Reads all jobs: there is no index for this seldom question. */
async function largestIds(database: DatabaseSync, signal: AbortSignal): Promise<readonly string[]> {
  const select = database.prepare(
    `SELECT number, id, output_bytes AS bytes FROM job
     WHERE number > ? AND number <= ? AND state = 'done' AND output_bytes IS NOT NULL`,
  );
  const last = Number(database.prepare('SELECT max(number) AS number FROM job').get()?.['number'] ?? 0);
  let largest: { readonly id: string; readonly bytes: number }[] = [];
  for (let after = 0; after < last; after += rowsPerTurn) {
    signal.throwIfAborted();
    const rows = select
      .all(after, after + rowsPerTurn)
      .map(({ id, bytes }) => ({ id: String(id), bytes: Number(bytes) }));
    largest = [...largest, ...rows].sort((a, b) => b.bytes - a.bytes).slice(0, maxCandidates);
    await nextTurn();
  }
  return largest.map(({ id }) => id);
}

/**
 * The largest results that are still where Timbre saved them, by disk: the fullest disk first, at most ten results each.
 * Several entries of one file count once. A disk that does not answer is left out.
 */
export async function findLargestResults(
  { database, store, fileQueries }: Dependencies,
  signal: AbortSignal,
): Promise<readonly DiskResults[]> {
  const byDisk = new Map<string, Map<string, LargeResult>>();
  for (const id of await largestIds(database, signal)) {
    signal.throwIfAborted();
    const job = store.get(id);
    const file = job ? resultOf(job) : null;
    if (!file || file.sizeBytes === null) continue;
    const disk = await fileQueries.diskOf(file.path);
    const results = byDisk.get(disk) ?? new Map<string, LargeResult>();
    if (results.size >= maxResultsPerDisk || results.has(file.path)) continue;
    const status = await fileQueries.quickStatus(file);
    if (status !== 'there' && status !== 'doubtful') continue;
    const folder = rulesOf(file.path).dirname(file.path);
    byDisk.set(disk, results.set(file.path, { id, name: file.name, folder, sizeBytes: file.sizeBytes }));
  }
  const disks = await Promise.all(
    [...byDisk].map(async ([disk, results]): Promise<readonly DiskResults[]> => {
      const list = [...results.values()];
      const free = await fileQueries.query(disk, () => freeBytes(list[0]?.folder ?? disk)).catch(() => undefined);
      return free === undefined ? [] : [{ disk, freeBytes: free, results: list }];
    }),
  );
  return disks.flat().sort((a, b) => a.freeBytes - b.freeBytes);
}
