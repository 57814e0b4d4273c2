import type { DatabaseSync } from 'node:sqlite';
import { lstat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchesOf } from '../../../shared/batches.ts';
import { AppError, type Problem } from '../../../shared/errors.ts';
import type { RestoredResults } from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { tryContentHash } from '../files/content.ts';
import type { CopyStore } from '../files/copy-store.ts';
import { snapshotOf } from '../files/identity.ts';
import { nameKey } from '../files/names.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { copyContentOf } from './copies.ts';
import { type FileQueries, type EntryFile, isUnseenFile, resultOf } from './file-status.ts';
import type { LongTask } from '../events.ts';
import { updatePath } from './relink.ts';

/** What became of one entry. `none`: there is no copy. `away`: the disk of the result is not connected. */
export type RestoredResult = { readonly id: string } & (
  | { readonly kind: 'restored'; readonly path: string }
  | { readonly kind: Exclude<keyof RestoredResults, 'restored' | 'failed' | 'firstProblem'> }
  | { readonly kind: 'failed'; readonly problem: Problem }
);

interface Dependencies {
  readonly database: DatabaseSync;
  readonly store: Pick<JobStore, 'get'>;
  readonly writes: Pick<WriteGate, 'commit'>;
  readonly copyStore: CopyStore;
  readonly fileQueries: FileQueries;
  readonly clock: Pick<Clock, 'now'>;
  /** Reports entries whose result is back, or has another path. */
  onChanged(ids: readonly string[]): void;
}

/** Hashes asked for at once. */
const hashesPerBatch = 100;
/** Read in a few milliseconds. Not every entry has a file to wait for. */
const entriesPerTurn = 50;

/**
 * True if the result of one of these entries is gone or has another size, and has a copy. Begins with the copies, of
 * which there are far fewer than entries, and often none. Rejects with the signal's reason.
 */
export async function hasRestorable(
  { database, store, copyStore, fileQueries }: Omit<Dependencies, 'writes' | 'clock' | 'onChanged'>,
  resolveIds: () => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<boolean> {
  const hashes = [...new Set((await copyStore.list()).map(({ sha256 }) => sha256))];
  if (hashes.length === 0) return false;
  const selected = new Set(await resolveIds());
  const selectJobs = database.prepare(
    "SELECT id FROM job WHERE output_sha256 IN (SELECT value FROM json_each(?)) AND state = 'done'",
  );
  for (const some of batchesOf(hashes, hashesPerBatch)) {
    signal.throwIfAborted();
    for (const { id } of selectJobs.all(JSON.stringify(some))) {
      const job = selected.has(String(id)) ? store.get(String(id)) : undefined;
      const file = job ? resultOf(job) : null;
      if (!file || isUnseenFile(file)) continue;
      signal.throwIfAborted();
      const status = await fileQueries.quickStatus(file);
      if (status === 'missing' || status === 'changed') return true;
    }
    await nextTurn();
  }
  return false;
}

/**
 * Restores the results of these entries from their copies, one after the other. A result that is there stays as it is; a
 * changed one too, beside which the restored one gets the next free name. `onRestored` is called for each entry. Rejects
 * with the signal's reason; what was restored until then stays.
 */
export async function restoreResults(
  { database, store, writes, copyStore, fileQueries, clock, onChanged }: Dependencies,
  ids: readonly string[],
  { signal, onProgress }: LongTask,
  onRestored: (result: RestoredResult) => void,
): Promise<RestoredResults> {
  const selectName = database.prepare('SELECT 1 FROM job WHERE output_key = ? AND id <> ?');

  /** True if the file is the result, which only its bytes tell. */
  const hasBytes = async ({ path, sizeBytes, sha256 }: EntryFile): Promise<boolean> =>
    sizeBytes !== null && (await tryContentHash(path, sizeBytes, signal)) === sha256;

  /** Null for an entry without a result. */
  async function restore(id: string): Promise<RestoredResult | null> {
    const job = store.get(id);
    const file = job ? resultOf(job) : null;
    const content = job ? copyContentOf(job) : null;
    if (!job || !file || !content) return null;
    // A file that was never here has no place to go back to.
    if (isUnseenFile(file)) return { id, kind: 'none' };
    const status = await fileQueries.quickStatus(file);
    if (status === 'there' || (status === 'doubtful' && (await hasBytes(file)))) return { id, kind: 'there' };
    if (status === 'away') return { id, kind: 'away' };
    const now = clock.now();
    const restored = await copyStore.restore(content, {
      path: file.path,
      modifiedAt: job.endedAt ?? now,
      now,
      signal,
      isTaken: (path) => selectName.get(nameKey(path), id) !== undefined,
    });
    if (restored.kind !== 'restored') return { id, kind: restored.kind };
    const { path } = restored;
    const snapshot = snapshotOf(await lstat(path, { bigint: true }));
    // The file is back, so its entry must learn of it.
    onChanged(await writes.commit(() => updatePath(database, 'result', file, { path, snapshot }), signal));
    return { id, kind: 'restored', path };
  }

  const counts = { restored: 0, there: 0, none: 0, damaged: 0, away: 0, failed: 0 };
  let firstProblem: RestoredResults['firstProblem'] = null;
  for (const [k, id] of ids.entries()) {
    if (k % entriesPerTurn === 0) await nextTurn();
    signal.throwIfAborted();
    const result = await restore(id).catch((error: unknown): RestoredResult => {
      signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      return { id, kind: 'failed', problem: error.problem };
    });
    if (result) {
      counts[result.kind] += 1;
      if (result.kind === 'failed') firstProblem ??= result.problem;
      onRestored(result);
    }
    onProgress({ share: (k + 1) / ids.length, count: k + 1 });
  }
  return { ...counts, firstProblem };
}
