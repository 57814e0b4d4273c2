import type { DatabaseSync } from 'node:sqlite';
import { nameKey } from '../outputs/name-key.ts';
import { unfinished } from './job-sql.ts';

/**
 * Writes down that a job's result is to have this name, unless another has one that differs in nothing but case or the way its accents
 * are written: such names are two files here, and one file on the disk that they may be copied to. One that is exactly the same is
 * left to the folder, where the file of old may be gone.
 */
export function claimName(database: DatabaseSync, id: string, path: string): boolean {
  const { changes } = database
    .prepare(
      `UPDATE job SET output_key = :key WHERE id = :id AND NOT EXISTS (
         SELECT 1 FROM job AS other WHERE other.output_key = :key AND other.id <> :id
           AND (other.${unfinished} OR (other.state = 'done' AND other.output_path <> :path)))`,
    )
    .run({ key: nameKey(path), id, path });
  return changes === 1;
}
