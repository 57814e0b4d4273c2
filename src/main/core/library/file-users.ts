import type { DatabaseSync } from 'node:sqlite';
import { unfinished } from '../jobs/job-sql.ts';
import { nameKey } from '../outputs/name-key.ts';

/** A result of Timbre's, by its place and its bytes. */
export interface UsedFile {
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
}

/** Who has a file that Timbre made. */
export interface FileUsers {
  /** Entries that have it as their result, also such as are not shown. */
  withResult(file: UsedFile): readonly string[];
  /**
   * Whether somebody has to find it at its place, but for the entries that leave: an entry that is shown and has it as its result, or
   * was made from it; or a job that has not ended and is made from it. An original that nobody has read yet counts as this one.
   */
  isNeeded(file: UsedFile, leaving: ReadonlySet<string>): boolean;
}

export function createFileUsers(database: DatabaseSync, isShown: (jobId: string) => boolean): FileUsers {
  const selectResults = database.prepare(
    "SELECT id FROM job WHERE output_key = :key AND output_path = :path AND output_sha256 = :sha256 AND state = 'done'",
  );
  const selectSources = database.prepare(
    `SELECT id, ${unfinished} AS waits FROM job
     WHERE source_path = :path AND coalesce(source_sha256, source ->> '$.sha256', :sha256) = :sha256`,
  );
  const withResult = ({ path, sha256 }: UsedFile): readonly string[] =>
    selectResults.all({ key: nameKey(path), path, sha256 }).map(({ id }) => String(id));

  return {
    withResult,
    isNeeded(file, leaving) {
      const stays = (id: string) => !leaving.has(id) && isShown(id);
      const { path, sha256 } = file;
      return (
        withResult(file).some(stays) ||
        selectSources.all({ path, sha256 }).some(({ id, waits }) => waits === 1 || stays(String(id)))
      );
    },
  };
}
