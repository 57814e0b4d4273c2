/**
 * Watched folders, a line for each of their files, and the ledger of what was taken up.
 *
 * A folder that a command made is not `listed`. `owner` is the process that watches it. `existing` says how far the question is about
 * what was there before: `scanning`, `asking`, `answered`.
 *
 * In a file's line `verdict` is what was decided, and `standing` what it means for a person: `open` is under way, `attention` waits for
 * them, `rest` is over. `change` orders the lines, newest first. A line whose file is gone (`is_there` 0) is kept, because a file that
 * comes back under another name is known by it.
 *
 * The ledger is what was, or is being, converted: here one row for each content and settings of a folder, from version 11 on one for
 * each job. It is written in one transaction with its job, and never deleted for a file's absence.
 */
export const watchTables = `
CREATE TABLE watch_folder (
  id TEXT PRIMARY KEY,
  settings TEXT NOT NULL,
  voice TEXT NOT NULL,
  marker TEXT,
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  listed INTEGER NOT NULL,
  is_paused INTEGER NOT NULL,
  existing TEXT NOT NULL,
  owner TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE watched_file (
  folder_id TEXT NOT NULL REFERENCES watch_folder (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  change INTEGER NOT NULL,
  at INTEGER NOT NULL,
  is_there INTEGER NOT NULL,
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  modified_ns TEXT NOT NULL,
  changed_ns TEXT NOT NULL,
  sha256 TEXT,
  duration_seconds REAL,
  verdict TEXT NOT NULL,
  standing TEXT NOT NULL,
  same_as TEXT,
  problem TEXT,
  job_id TEXT,
  failures INTEGER NOT NULL,
  next_try_at INTEGER,
  is_forced INTEGER NOT NULL,
  source_end TEXT,
  moved_to TEXT,
  UNIQUE (folder_id, path)
) STRICT;

CREATE INDEX watched_file_order ON watched_file (folder_id, change);
CREATE INDEX watched_file_standing ON watched_file (folder_id, standing) WHERE standing <> 'rest';
CREATE INDEX watched_file_inode ON watched_file (folder_id, inode);
CREATE INDEX watched_file_job ON watched_file (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX watched_file_verdict ON watched_file (folder_id, verdict);
CREATE INDEX watched_file_content ON watched_file (folder_id, sha256) WHERE sha256 IS NOT NULL;

CREATE TABLE watch_ledger (
  folder_id TEXT NOT NULL REFERENCES watch_folder (id) ON DELETE CASCADE,
  sha256 TEXT NOT NULL,
  settings_hash TEXT NOT NULL,
  job_id TEXT NOT NULL,
  path TEXT NOT NULL,
  duration_seconds REAL NOT NULL,
  taken_at INTEGER NOT NULL,
  PRIMARY KEY (folder_id, sha256, settings_hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX watch_ledger_day ON watch_ledger (folder_id, taken_at);
CREATE INDEX job_output_content ON job (output_sha256) WHERE output_sha256 IS NOT NULL;
`;
