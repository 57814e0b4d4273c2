import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../database/transaction.ts';
import { isIn, nextChange } from '../jobs/job-sql.ts';
import { nameKey } from '../outputs/name-key.ts';
import type { SourceSnapshot } from '../voice-service/source-snapshot.ts';
import type { EntryFile, WhichFile } from './entry-files.ts';

/** Where a file lies now, and what it is there. */
export interface NewPlace {
  readonly path: string;
  readonly snapshot: SourceSnapshot;
}

/**
 * Writes down, for all jobs that ended and had these bytes at that path, where the file lies now; of `only` these, where they are given.
 * A recording whose hash nobody ever took is the same one where it was the very same, untouched file. Returns their ids. The writes count as changes: other processes hear of them by themselves, this one is told by whoever calls.
 */
export function linkAgain(
  database: DatabaseSync,
  which: WhichFile,
  { path, sha256, sizeBytes, identity, modifiedNs }: EntryFile,
  { path: newPath, snapshot }: NewPlace,
  only?: readonly string[],
): readonly string[] {
  const isMeant = `(:only IS NULL OR ${isIn('id', ':only')})`;
  const statement =
    which === 'result'
      ? database.prepare(
          `UPDATE job SET output_path = :newPath, output_key = :newKey, output_device = :device, output_inode = :inode,
             revision = revision + 1, change = ${nextChange}
           WHERE output_key = :key AND output_path = :path AND output_sha256 IS :sha256 AND state = 'done' AND ${isMeant}
           RETURNING id`,
        )
      : database.prepare(
          `UPDATE job SET source_path = :newPath,
             source = json_set(source, '$.path', :newPath, '$.snapshot', json(:snapshot)),
             revision = revision + 1, change = ${nextChange}
           WHERE source_path = :path AND phase = 9 AND source ->> '$.snapshot.sizeBytes' IS :sizeBytes
             AND coalesce(source_sha256, source ->> '$.sha256') IS :sha256 AND ${isMeant}
             AND (:sha256 IS NOT NULL OR (
               source ->> '$.snapshot.inode' IS :inode AND source ->> '$.snapshot.modifiedNs' IS :modifiedNs
             )) RETURNING id`,
        );
  const values = { path, newPath, sha256, only: only ? JSON.stringify(only) : null };
  return transaction(database, () =>
    statement
      .all(
        which === 'result'
          ? {
              ...values,
              key: nameKey(path),
              newKey: nameKey(newPath),
              device: snapshot.device,
              inode: snapshot.inode,
            }
          : { ...values, sizeBytes, inode: identity?.inode ?? null, modifiedNs, snapshot: JSON.stringify(snapshot) },
      )
      .map(({ id }) => String(id)),
  );
}
