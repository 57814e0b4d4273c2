import { extname, sep } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { nullableNumber, nullableText } from '../database/columns.ts';
import { contentHash } from '../files/content.ts';
import { fatTimeStepMs, fileStampAt, type SourceSnapshot } from '../files/identity.ts';
import { nameKey } from '../files/names.ts';
import { hasEnded, type Job } from './job.ts';
import { jobStates } from '../../../shared/schemas/job.ts';

/** Tells the results of this data folder's jobs from recordings, so that none is converted, and paid for, by itself. */
export interface OwnResults {
  /** True if this is the content of a result that was made here or is here. */
  hasContent(sha256: string): boolean;
  /**
   * True if the file is a result that has not changed since a job published it at this path. Reads it only if its
   * inode or time leaves a doubt. False for a file that cannot be read. Rejects if the database cannot: a result would be paid for
   * as a recording.
   */
  isAt(path: string, signal: AbortSignal): Promise<boolean>;
  /** Paths of the recordings whose results jobs have published, or will publish, at this path. */
  originalsOf(path: string): readonly string[];
  /** True if a job has published, or will publish, a result somewhere below the folder. */
  existIn(folder: string): boolean;
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
});

/** What shows, without reading the file, that a result was not modified since its job ended. */
interface Published {
  readonly inode: string | null;
  readonly endedAt: number | null;
}

const isUntouched = ({ inode, endedAt }: Published, now: { readonly inode: string; readonly modifiedMs: number }) =>
  inode === now.inode && endedAt !== null && now.modifiedMs <= endedAt + fatTimeStepMs;

/** True if a job's result is where the job published it, with the bytes that it had. False for a file that cannot be read. */
export async function isResultOf({ output, finished, endedAt }: Job, signal: AbortSignal): Promise<boolean> {
  if (!output || !finished) return false;
  try {
    const stamp = await fileStampAt(output.path);
    if (!stamp?.isFile || stamp.sizeBytes !== finished.sizeBytes) return false;
    const { identity, modifiedMs } = stamp;
    if (isUntouched({ inode: finished.identity.inode, endedAt }, { inode: identity.inode, modifiedMs })) return true;
    return (await contentHash(output.path, stamp.sizeBytes, signal)) === finished.sha256;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

export function createOwnResults(database: DatabaseSync): OwnResults {
  // An imported entry has no owner, and no inode unless its file was brought or found here. Its checksum alone, which
  // anyone can write into an archive, must not keep a recording from being converted.
  const selectContent = database.prepare(
    "SELECT 1 FROM job WHERE output_sha256 = ? AND (owner <> '' OR output_inode <> '0')",
  );
  const selectAt = database.prepare(
    'SELECT state, ended_at, output_sha256, output_bytes, output_inode FROM job WHERE output_key = ?',
  );

  const selectOriginals = database.prepare(
    'SELECT DISTINCT source_path FROM job WHERE output_key = ? AND source_path IS NOT NULL',
  );

  const selectIn = database.prepare('SELECT 1 FROM job WHERE output_key > ? AND output_key < ? LIMIT 1');

  const rowsAt = (path: string) => selectAt.all(nameKey(path)).map((row) => v.parse(outputRow, row));
  type OutputRow = ReturnType<typeof rowsAt>[number];
  /** The name is reserved for a result that is being published. */
  const isReserved = (rows: readonly OutputRow[]) => rows.some((row) => !hasEnded(row));
  const areUntouched = (rows: readonly OutputRow[], now: { readonly inode: string; readonly modifiedMs: number }) =>
    rows.some((row) => isUntouched({ inode: row.output_inode, endedAt: row.ended_at }, now));

  async function isAnyAt(path: string, rows: readonly OutputRow[], signal: AbortSignal): Promise<boolean> {
    const stamp = await fileStampAt(path);
    if (!stamp?.isFile) return false;
    const sameSize = rows.filter((row) => row.output_bytes === stamp.sizeBytes);
    if (sameSize.length === 0) return false;
    if (areUntouched(sameSize, { inode: stamp.identity.inode, modifiedMs: stamp.modifiedMs })) return true;
    const sha256 = await contentHash(path, stamp.sizeBytes, signal);
    return sameSize.some((row) => row.output_sha256 === sha256);
  }

  return {
    hasContent: (sha256) => selectContent.get(sha256) !== undefined,
    async isAt(path, signal) {
      const rows = rowsAt(path);
      if (rows.length === 0) return false;
      if (isReserved(rows)) return true;
      return isAnyAt(path, rows, signal).catch(() => {
        signal.throwIfAborted();
        return false;
      });
    },
    originalsOf: (path) => selectOriginals.all(nameKey(path)).map((row) => String(row['source_path'])),
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
