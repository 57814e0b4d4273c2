/**
 * Results that were taken out of history together with their entry and still lie beside their place, under a hidden name with this
 * `id` in it. Written before the file is touched, and deleted once it is in the trash or back under its name; `wish` says which of the
 * two is to come of it (`gone`, `back`). `jobs` are the entries, as JSON. `taking` is the name that is about to be given back.
 *
 * The indexes find the entries of a recording that lies somewhere else now, and an entry of another computer that is here already.
 */
export const removedFiles = `
CREATE TABLE removed_file (
  id TEXT PRIMARY KEY,
  removal TEXT NOT NULL,
  wish TEXT NOT NULL,
  jobs TEXT NOT NULL,
  path TEXT NOT NULL,
  how TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  taking TEXT,
  taking_how TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX removed_file_removal ON removed_file (removal);
CREATE INDEX job_task ON job (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX job_source_path ON job (source_path) WHERE source_path IS NOT NULL;
`;
