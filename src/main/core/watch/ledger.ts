import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { WatchSettings } from '../../../shared/schemas/watch.ts';
import type { Clock } from '../clock.ts';
import { cachedUntilWrite } from '../database/sqlite.ts';

/** A sound that a job has taken up with some settings: it is never paid for twice by itself. */
export interface LedgerEntry {
  readonly sha256: string;
  readonly settingsHash: string;
  readonly jobId: string;
  /** Under this name it was, or is now. */
  readonly path: string;
}

export interface Ledger {
  /** What a content was converted with in a folder, latest first. */
  find(folderId: string, sha256: string): readonly LedgerEntry[];
  /** Puts a content into the ledger, beside what other jobs have made of it: a person may want it again. */
  take(folderId: string, entry: LedgerEntry & { readonly durationSeconds: number }): void;
  /** The content lies under another name now. */
  rename(folderId: string, sha256: string, path: string): void;
  /** A job that never sent its content gives it back; what other jobs have made of it stays. */
  giveBack(folderId: string, sha256: string, jobId: string): void;
  /** Minutes of sound that were taken up since a time. */
  minutesSince(folderId: string, since: number): number;
  /** True of the bytes of any result that Timbre made. */
  isOwnOutput(sha256: string): boolean;
}

/** What makes two conversions of one sound different: all that the service is asked for, and which service. */
export const settingsHash = ({ connectionId, conversion }: WatchSettings): string =>
  createHash('sha256')
    .update(JSON.stringify([connectionId, Object.entries(conversion).sort(([a], [b]) => (a < b ? -1 : 1))]))
    .digest('hex');

const entryRow = v.object({ sha256: v.string(), settings_hash: v.string(), job_id: v.string(), path: v.string() });

export function createLedger(database: DatabaseSync, clock: Pick<Clock, 'now'>): Ledger {
  // The sign keeps SQLite from reading the whole ledger in that order instead of the few rows of a content.
  const select = database.prepare(
    'SELECT * FROM watch_ledger WHERE folder_id = ? AND sha256 = ? ORDER BY +taken_at DESC',
  );
  const insert = database.prepare(
    `INSERT INTO watch_ledger (folder_id, sha256, settings_hash, job_id, path, duration_seconds, taken_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const setPath = database.prepare('UPDATE watch_ledger SET path = ? WHERE folder_id = ? AND sha256 = ?');
  const drop = database.prepare('DELETE FROM watch_ledger WHERE folder_id = ? AND sha256 = ? AND job_id = ?');
  const sum = database.prepare(
    'SELECT coalesce(sum(duration_seconds), 0) AS seconds FROM watch_ledger WHERE folder_id = ? AND taken_at >= ?',
  );
  const selectOutput = database.prepare('SELECT 1 FROM job WHERE output_sha256 = ?');

  /** Since a time, for as long as nothing is taken: a folder's numbers are shown again and again. */
  const minutes = cachedUntilWrite(database, () => new Map<number, number>());

  function minutesSince(folderId: string, since: number): number {
    const known = minutes.get(folderId);
    const found = known.get(since) ?? Number(sum.get(folderId, since)?.['seconds'] ?? 0) / 60;
    known.set(since, found);
    return found;
  }

  return {
    find: (folderId, sha256) =>
      select.all(folderId, sha256).map((stored) => {
        const { settings_hash: hash, job_id: jobId, path } = v.parse(entryRow, stored);
        return { sha256, settingsHash: hash, jobId, path };
      }),
    take(folderId, { sha256, settingsHash: hash, jobId, path, durationSeconds }) {
      minutes.forget(folderId);
      insert.run(folderId, sha256, hash, jobId, path, durationSeconds, clock.now());
    },
    rename: (folderId, sha256, path) => void setPath.run(path, folderId, sha256),
    giveBack(folderId, sha256, jobId) {
      minutes.forget(folderId);
      drop.run(folderId, sha256, jobId);
    },
    minutesSince,
    isOwnOutput: (sha256) => selectOutput.get(sha256) !== undefined,
  };
}
