/**
 * Originals that are on their way into Done: written before one loses its name, and deleted once it has one again. Meanwhile it lies in
 * its own folder under a hidden name with the job's id in it. `path` is relative to the watched folder. No line about a file can tell
 * this, because the next recording may have the same name already.
 */
export const sourceMoves = `
CREATE TABLE source_move (
  job_id TEXT PRIMARY KEY,
  folder_id TEXT NOT NULL REFERENCES watch_folder (id) ON DELETE CASCADE,
  path TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
