import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { isTextPath, type WatchSettings } from '../../../shared/schemas/watch.ts';
import type { Clock } from '../clock.ts';
import { unfinished } from '../database/schema.ts';
import { cachedUntilWrite } from '../database/sqlite.ts';
import { neverSentCodes } from '../jobs/job.ts';

/** Content that a job converts with some settings. Timbre never pays for it again by itself. */
export interface LedgerEntry {
  readonly sha256: string;
  readonly settingsHash: string;
  readonly jobId: string;
  /** Last known path of the file. */
  readonly path: string;
  /** True for a row of a table of which other rows are still to be submitted. */
  readonly isUnfinished: boolean;
  /** Length of its sound; 0 for a row that was submitted before, with another content of its table. */
  readonly durationSeconds: number;
}

export interface Ledger {
  /** Conversions of a content in a folder, latest first. */
  find(folderId: string, sha256: string): readonly LedgerEntry[];
  has(folderId: string, sha256: string, jobId: string): boolean;
  /**
   * Adds a conversion. A content may have several, as the user can convert it again. One that is there already counts for these
   * settings from now on.
   */
  add(folderId: string, entry: LedgerEntry): void;
  /** All rows of a table are submitted: the unfinished ones count for these settings. */
  finish(folderId: string, sha256: string, settingsHash: string): void;
  /** Jobs of a content that were never sent. */
  unsent(folderId: string, sha256: string): readonly string[];
  /** The file with this content was renamed. */
  rename(folderId: string, sha256: string, path: string): void;
  /** Removes the entry of a job that never sent its content. Entries of other jobs stay. */
  forget(folderId: string, sha256: string, jobId: string): void;
  /** Removes the contents of which all has ended and nothing is in doubt; `all` if nothing is left. */
  forgetSettled(folderId: string): 'all' | 'some';
  /**
   * Copies the entries of jobs that have not ended or are in doubt to another folder; `pathIn` returns the path of a file in it, or
   * null for one that is elsewhere.
   */
  copyUnsettled(folderId: string, toFolderId: string, pathIn: (path: string) => string | null): void;
  /** Hashes of all requests that the settings of a folder may stand for: with its own voice, or those of subfolders. */
  settingsHashes(folderId: string, settings: WatchSettings): readonly string[];
  /** Jobs of the rows of a table that were submitted with this one. */
  rowsOf(folderId: string, sha256: string, jobId: string): readonly string[];
  /** Those of them that are neither done nor cancelled, the last one of the queue first. */
  openRows(folderId: string, sha256: string, jobId: string): readonly string[];
  /** Minutes of sound submitted since a time, without what was never sent. */
  minutesSince(folderId: string, since: number): number;
  /** Those of them that are of a table that was submitted in part, for these settings or before they changed. */
  rowMinutesSince(folderId: string, since: number, sha256: string, settingsHash: string): number;
  /** Something that was submitted turned out never to be sent. */
  recountMinutes(folderId: string): void;
}

const sorted = (settings: object) => Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
const hashOf = (request: readonly unknown[]) => createHash('sha256').update(JSON.stringify(request)).digest('hex');

/** Hash of everything that makes two conversions of one sound differ: the connection and the conversion settings. */
export const conversionHash = ({ connectionId, conversion }: WatchSettings): string =>
  hashOf([connectionId, sorted(conversion)]);

/** The same for speech; null if texts are not spoken. */
export const speechHash = ({ connectionId, conversion: { voiceId }, speech }: WatchSettings): string | null =>
  speech && hashOf([connectionId, sorted({ ...speech, voiceId }), 'speech']);

/** Hash of the settings that apply to a file of a folder. Throws for a text if texts are not spoken. */
export function settingsHash(path: string, settings: WatchSettings): string {
  if (!isTextPath(path)) return conversionHash(settings);
  const hash = speechHash(settings);
  if (hash === null) throw new Error(`${path} is not spoken`);
  return hash;
}

const entryRow = v.object({
  sha256: v.string(),
  settings_hash: v.string(),
  job_id: v.string(),
  path: v.string(),
  duration_seconds: v.number(),
});

const neverSent = JSON.stringify(neverSentCodes);

/** Condition of jobs that may still cost something, or have. */
export const unsettled = `(${unfinished} OR state = 'uncertain')`;

/** Stored after the hash, so that such a row has the settings of no folder. */
const unfinishedMark = ' unfinished';

export function createLedger(database: DatabaseSync, clock: Pick<Clock, 'now'>): Ledger {
  // The plus sign keeps SQLite from reading the whole ledger in this order instead of the few rows of a content.
  const select = database.prepare(
    'SELECT * FROM watch_ledger WHERE folder_id = ? AND sha256 = ? ORDER BY +submitted_at DESC',
  );
  const selectOne = database.prepare('SELECT 1 FROM watch_ledger WHERE folder_id = ? AND sha256 = ? AND job_id = ?');
  const insert = database.prepare(
    `INSERT INTO watch_ledger (folder_id, sha256, settings_hash, job_id, path, duration_seconds, submitted_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET settings_hash = excluded.settings_hash`,
  );
  const setPath = database.prepare('UPDATE watch_ledger SET path = ? WHERE folder_id = ? AND sha256 = ?');
  const drop = database.prepare('DELETE FROM watch_ledger WHERE folder_id = ? AND sha256 = ? AND job_id = ?');
  // A table is forgotten as a whole, or a row of it that failed would be lost unnoticed.
  const dropSettled = database.prepare(
    `DELETE FROM watch_ledger WHERE folder_id = :folderId AND sha256 NOT IN (
       SELECT sha256 FROM watch_ledger JOIN job ON job.id = job_id WHERE folder_id = :folderId AND ${unsettled})`,
  );
  const selectUnsettled = database.prepare(
    `SELECT watch_ledger.* FROM watch_ledger WHERE folder_id = :folderId AND sha256 IN (
       SELECT sha256 FROM watch_ledger JOIN job ON job.id = job_id WHERE folder_id = :folderId AND ${unsettled})`,
  );
  const selectAny = database.prepare('SELECT 1 FROM watch_ledger WHERE folder_id = ? LIMIT 1');
  const sum = database.prepare(
    `SELECT coalesce(sum(watch_ledger.duration_seconds), 0) AS seconds FROM watch_ledger LEFT JOIN job ON job.id = job_id
     WHERE folder_id = :folderId AND submitted_at >= :since
       AND NOT (coalesce(state, '') = 'failed' AND coalesce(iif(json_valid(problem), problem ->> '$.code', ''), '') IN
         (SELECT value FROM json_each(:neverSent)))
       AND (:sha256 IS NULL OR (sha256 = :sha256 AND (settings_hash = :hash OR settings_hash LIKE '%${unfinishedMark}')))`,
  );

  const setFinished = database.prepare(
    `UPDATE watch_ledger SET settings_hash = :hash
     WHERE folder_id = :folderId AND sha256 = :sha256 AND settings_hash LIKE '%${unfinishedMark}'`,
  );
  const selectUnsent = database.prepare(
    `SELECT job.id FROM watch_ledger JOIN job ON job.id = job_id WHERE folder_id = :folderId AND sha256 = :sha256
       AND job.state = 'failed' AND iif(json_valid(problem), problem ->> '$.code', '') IN (SELECT value FROM json_each(:neverSent))`,
  );
  const selectOpenRows = database.prepare(
    `SELECT job.id FROM watch_ledger JOIN job ON job.id = job_id
      WHERE folder_id = :folderId AND sha256 = :sha256 AND job.state NOT IN ('done', 'cancelled') AND settings_hash =
        (SELECT settings_hash FROM watch_ledger WHERE folder_id = :folderId AND sha256 = :sha256 AND job_id = :jobId)
      ORDER BY job.position DESC`,
  );
  const selectRows = database.prepare(
    `SELECT job_id AS id FROM watch_ledger WHERE folder_id = :folderId AND sha256 = :sha256 AND settings_hash =
       (SELECT settings_hash FROM watch_ledger WHERE folder_id = :folderId AND sha256 = :sha256 AND job_id = :jobId)`,
  );
  const selectVoices = database.prepare(
    `SELECT DISTINCT json_extract(job.voice, '$.id') AS id FROM watch_ledger JOIN job ON job.id = watch_ledger.job_id
     WHERE folder_id = ?`,
  );

  /** Sums by start time until the next entry, because the window shows a folder's numbers often. */
  const minutes = cachedUntilWrite(database, () => new Map<number, number>());

  const sumOf = (folderId: string, since: number, sha256: string | null, hash: string | null): number =>
    Number(sum.get({ folderId, since, neverSent, sha256, hash })?.['seconds'] ?? 0) / 60;

  function minutesSince(folderId: string, since: number): number {
    const known = minutes.get(folderId);
    const found = known.get(since) ?? sumOf(folderId, since, null, null);
    known.set(since, found);
    return found;
  }

  return {
    find: (folderId, sha256) =>
      select.all(folderId, sha256).map((stored) => {
        const { settings_hash: marked, job_id: jobId, path, duration_seconds: seconds } = v.parse(entryRow, stored);
        const isUnfinished = marked.endsWith(unfinishedMark);
        const hash = isUnfinished ? marked.slice(0, -unfinishedMark.length) : marked;
        return { sha256, settingsHash: hash, jobId, path, isUnfinished, durationSeconds: seconds };
      }),
    has: (folderId, sha256, jobId) => selectOne.get(folderId, sha256, jobId) !== undefined,
    add(folderId, { sha256, settingsHash: hash, jobId, path, isUnfinished, durationSeconds }) {
      minutes.forget(folderId);
      const marked = isUnfinished ? hash + unfinishedMark : hash;
      insert.run(folderId, sha256, marked, jobId, path, durationSeconds, clock.now());
    },
    finish: (folderId, sha256, hash) => void setFinished.run({ folderId, sha256, hash }),
    unsent: (folderId, sha256) => selectUnsent.all({ folderId, sha256, neverSent }).map(({ id }) => String(id)),
    rename: (folderId, sha256, path) => void setPath.run(path, folderId, sha256),
    forget(folderId, sha256, jobId) {
      minutes.forget(folderId);
      drop.run(folderId, sha256, jobId);
    },
    forgetSettled(folderId) {
      minutes.forget(folderId);
      dropSettled.run({ folderId });
      return selectAny.get(folderId) ? 'some' : 'all';
    },
    copyUnsettled(folderId, toFolderId, pathIn) {
      minutes.forget(toFolderId);
      for (const row of selectUnsettled.all({ folderId })) {
        const path = pathIn(String(row['path']));
        const { sha256 = '', settings_hash: hash = '', job_id: jobId = '' } = row;
        const { duration_seconds: seconds = 0, submitted_at: submittedAt = 0 } = row;
        if (path !== null) insert.run(toFolderId, sha256, hash, jobId, path, seconds, submittedAt);
      }
    },
    settingsHashes(folderId, settings) {
      const { conversion, hasSubfolderVoices } = settings;
      const voiceIds = hasSubfolderVoices ? selectVoices.all(folderId).map(({ id }) => String(id)) : [];
      const each = [settings, ...voiceIds.map((voiceId) => ({ ...settings, conversion: { ...conversion, voiceId } }))];
      return each.flatMap((one) => [conversionHash(one), speechHash(one)]).filter((hash) => hash !== null);
    },
    rowsOf: (folderId, sha256, jobId) => selectRows.all({ folderId, sha256, jobId }).map(({ id }) => String(id)),
    openRows: (folderId, sha256, jobId) => selectOpenRows.all({ folderId, sha256, jobId }).map(({ id }) => String(id)),
    minutesSince,
    rowMinutesSince: sumOf,
    recountMinutes: minutes.forget,
  };
}
