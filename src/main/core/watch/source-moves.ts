import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';

/** An original that has no name just now, but a hidden one: it is on its way into Done. */
export interface SourceMove {
  readonly jobId: string;
  /** The name that it had, relative to its folder. */
  readonly path: string;
}

/** Originals on their way, on disk: what a kill leaves under a hidden name is found again. */
export interface SourceMoves {
  begin(folderId: string, move: SourceMove): void;
  end(jobId: string): void;
  has(jobId: string): boolean;
  ofFolder(folderId: string): readonly SourceMove[];
}

const moveRow = v.object({ job_id: v.string(), path: v.string() });

export function createSourceMoves(database: DatabaseSync): SourceMoves {
  const insert = database.prepare('INSERT OR REPLACE INTO source_move (job_id, folder_id, path) VALUES (?, ?, ?)');
  const drop = database.prepare('DELETE FROM source_move WHERE job_id = ?');
  const select = database.prepare('SELECT 1 FROM source_move WHERE job_id = ?');
  const selectAll = database.prepare('SELECT job_id, path FROM source_move WHERE folder_id = ?');
  return {
    begin: (folderId, { jobId, path }) => void insert.run(jobId, folderId, path),
    end: (jobId) => void drop.run(jobId),
    has: (jobId) => select.get(jobId) !== undefined,
    ofFolder: (folderId) =>
      selectAll.all(folderId).map((stored) => {
        const { job_id: jobId, path } = v.parse(moveRow, stored);
        return { jobId, path };
      }),
  };
}
