import { extname, sep } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { flag, nullableNumber, nullableText } from '../database/columns.ts';
import { realSourcePath } from '../database/schema.ts';
import { contentHash } from '../files/content.ts';
import { fatTimeStepMs, fileStampAt, type SourceSnapshot } from '../files/identity.ts';
import { nameKey } from '../files/names.ts';
import { hasEnded, type Job } from './job.ts';
import { jobStates } from '../../../shared/schemas/job.ts';

/** Tells the results of this data folder's jobs from recordings, so that none is converted, and paid for, by itself. */
export interface OwnResults {
  /**
   * True if this is the content of a result that was made here or is here, or what the user's program made of one in its
   * place.
   */
  hasContent(sha256: string): boolean;
  /** True if such a result has so many bytes: only then may a file of this size be one. */
  hasSize(sizeBytes: number): boolean;
  /**
   * True if the file is a result that nothing but the user's program has changed since a job published it at this path. Reads
   * it only if its inode or time leaves a doubt. False for a file that cannot be read. Rejects if the database cannot: a result
   * would be paid for as a recording.
   */
  isAt(path: string, signal: AbortSignal): Promise<boolean>;
  /** Paths of the recordings whose results jobs have published, or will publish, at this path. */
  originalsOf(path: string): readonly string[];
  /** Paths of the recordings that results of this content were made of, and those that they lead to. */
  originalsOfContent(sha256: string): readonly string[];
  /** True if a job has published, or will publish, a result somewhere below the folder. */
  existIn(folder: string): boolean;
  /** True while the user's program is still to run, or runs, for the result at this path, which it may change. */
  isAwaitingHook(path: string): boolean;
  /** Like `isAt`, for the result of this job. */
  isResultOf(job: Pick<Job, 'id' | 'output' | 'finished' | 'endedAt'>, signal: AbortSignal): Promise<boolean>;
  /** Like `isAt`, but never reads the file: false where that would be needed. */
  isUntouchedAt(path: string, snapshot: SourceSnapshot): boolean;
}

/** The key of a path without its extension: a result has the name of its recording, but may have another format. */
export const stemKey = (path: string): string => nameKey(path.slice(0, path.length - extname(path).length));

const outputRow = v.object({
  state: v.picklist(jobStates),
  ended_at: nullableNumber,
  output_sha256: nullableText,
  output_bytes: nullableNumber,
  output_inode: nullableText,
  /** What the user's program made of it. */
  changed_to: nullableText,
  awaits_hook: flag,
});

/** What shows, without reading the file, that a result was not modified since its job ended. */
interface Published {
  readonly inode: string | null;
  readonly endedAt: number | null;
}

const isUntouched = ({ inode, endedAt }: Published, now: { readonly inode: string; readonly modifiedMs: number }) =>
  inode === now.inode && endedAt !== null && now.modifiedMs <= endedAt + fatTimeStepMs;

export function createOwnResults(database: DatabaseSync): OwnResults {
  // An imported entry has no owner, and no inode unless its file was brought or found here. Its checksum alone, which
  // anyone can write into an archive, must not keep a recording from being converted.
  // A service that gave a recording back as it was has made no result of it.
  const isHere = "(owner <> '' OR output_inode <> '0') AND output_sha256 IS NOT source_sha256";
  const selectContent = database.prepare(
    `SELECT 1 FROM job WHERE output_sha256 = ?1 AND ${isHere} UNION ALL SELECT 1 FROM hook_output WHERE sha256 = ?1 LIMIT 1`,
  );
  const selectSize = database.prepare(
    `SELECT 1 FROM job WHERE output_bytes = ?1 AND ${isHere} UNION ALL SELECT 1 FROM hook_output WHERE size_bytes = ?1 LIMIT 1`,
  );
  const selectAt = database.prepare(
    `SELECT state, ended_at, output_sha256, output_bytes, output_inode, hook_output.sha256 AS changed_to,
       EXISTS (SELECT 1 FROM hook_run WHERE hook_run.job = job.id AND problem IS NULL) AS awaits_hook
     FROM job LEFT JOIN hook_output ON hook_output.job = job.id WHERE output_key = ?`,
  );
  const selectChanged = database.prepare('SELECT sha256 FROM hook_output WHERE job = ?');

  const selectOriginals = database.prepare(
    'SELECT DISTINCT source_path FROM job WHERE output_key = ? AND source_path IS NOT NULL',
  );

  const selectOriginalsOfContent = database.prepare(
    `SELECT source_path AS path FROM job WHERE output_sha256 = :sha256 AND ${isHere} AND source_path IS NOT NULL
     UNION SELECT ${realSourcePath} FROM job WHERE output_sha256 = :sha256 AND ${isHere} AND ${realSourcePath} IS NOT NULL`,
  );

  const selectIn = database.prepare('SELECT 1 FROM job WHERE output_key > ? AND output_key < ? LIMIT 1');

  const rowsAt = (path: string) => selectAt.all(nameKey(path)).map((row) => v.parse(outputRow, row));
  type OutputRow = ReturnType<typeof rowsAt>[number];
  /** The name is reserved for a result that is being published, or that the user's program may be changing. */
  const isReserved = (rows: readonly OutputRow[]) => rows.some((row) => !hasEnded(row) || row.awaits_hook);
  const areUntouched = (rows: readonly OutputRow[], now: { readonly inode: string; readonly modifiedMs: number }) =>
    rows.some((row) => isUntouched({ inode: row.output_inode, endedAt: row.ended_at }, now));

  const isAwaitingHook = (path: string): boolean => rowsAt(path).some((row) => row.awaits_hook);

  async function isAnyAt(path: string, rows: readonly OutputRow[], signal: AbortSignal): Promise<boolean> {
    const stamp = await fileStampAt(path);
    if (!stamp?.isFile) return false;
    const sameSize = rows.filter((row) => row.output_bytes === stamp.sizeBytes);
    const changed = rows.flatMap(({ changed_to: sha256 }) => sha256 ?? []);
    if (sameSize.length + changed.length === 0) return false;
    if (areUntouched(sameSize, { inode: stamp.identity.inode, modifiedMs: stamp.modifiedMs })) return true;
    const sha256 = await contentHash(path, stamp.sizeBytes, signal);
    return sha256 !== null && (changed.includes(sha256) || sameSize.some((row) => row.output_sha256 === sha256));
  }

  return {
    hasContent: (sha256) => selectContent.get(sha256) !== undefined,
    hasSize: (sizeBytes) => selectSize.get(sizeBytes) !== undefined,
    async isAt(path, signal) {
      const rows = rowsAt(path);
      if (rows.length === 0) return false;
      if (isReserved(rows)) return true;
      return isAnyAt(path, rows, signal).catch(() => {
        signal.throwIfAborted();
        return false;
      });
    },
    isAwaitingHook,
    async isResultOf({ id, output, finished, endedAt }, signal) {
      if (!output || !finished) return false;
      try {
        const stamp = await fileStampAt(output.path);
        if (!stamp?.isFile) return false;
        if (isAwaitingHook(output.path)) return true;
        const { identity, modifiedMs, sizeBytes } = stamp;
        const isSameSize = sizeBytes === finished.sizeBytes;
        const changedTo = selectChanged.get(id)?.['sha256'];
        if (!isSameSize && changedTo === undefined) return false;
        const published = { inode: finished.identity.inode, endedAt };
        if (isSameSize && isUntouched(published, { inode: identity.inode, modifiedMs })) return true;
        const sha256 = await contentHash(output.path, sizeBytes, signal);
        return sha256 !== null && (sha256 === finished.sha256 || sha256 === changedTo);
      } catch {
        signal.throwIfAborted();
        return false;
      }
    },
    originalsOf: (path) => selectOriginals.all(nameKey(path)).map((row) => String(row['source_path'])),
    originalsOfContent: (sha256) => selectOriginalsOfContent.all({ sha256 }).map(({ path }) => String(path)),
    existIn(folder) {
      const below = nameKey(folder.endsWith(sep) ? folder : folder + sep);
      return selectIn.get(below, `${below}\u{10ffff}`) !== undefined;
    },
    isUntouchedAt(path, { inode, sizeBytes, modifiedNs }) {
      const rows = rowsAt(path);
      const sameSize = rows.filter((row) => row.output_bytes === sizeBytes);
      return isReserved(rows) || areUntouched(sameSize, { inode, modifiedMs: Number(modifiedNs) / 1e6 });
    },
  };
}
