/**
 * Jobs, with every field that history shows (acceptance H11), and what holds the queue up.
 *
 * `place` orders the queue and is never an integer by law: a moved job takes the middle between two others. `change` counts writes
 * over all rows and all processes, so that each can ask what happened since it last looked. `phase` is what the queue does first:
 * results that wait at the service before sound that is up there, that before uploads, those before new tasks; 4 is a recording that
 * nobody has looked at yet. `asked_by` is the command that has not been told yet what became of the job. A job that is taken off the list is no longer `listed`; it is never deleted, because it is history.
 */
export const jobTables = `
CREATE TABLE connection_document (
  hash TEXT PRIMARY KEY,
  document TEXT NOT NULL
) STRICT;

CREATE TABLE job (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  phase INTEGER NOT NULL GENERATED ALWAYS AS (
    CASE
      WHEN state IN ('converted', 'publishing') THEN 0
      WHEN state IN ('uploaded', 'converting') THEN 1
      WHEN state IN ('created', 'uploading') THEN 2
      WHEN state IN ('queued', 'creating') THEN CASE WHEN output_format IS NULL THEN 4 ELSE 3 END
      ELSE 9
    END
  ) STORED,
  place REAL NOT NULL,
  change INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  listed INTEGER NOT NULL,
  runner TEXT NOT NULL,
  asked_by TEXT,
  created_at INTEGER NOT NULL,
  since INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  next_try_at INTEGER,
  attempts INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  problem TEXT,
  timings TEXT NOT NULL,

  connection_id TEXT NOT NULL,
  connection_name TEXT NOT NULL,
  document_hash TEXT NOT NULL REFERENCES connection_document (hash),
  voice TEXT NOT NULL,
  settings TEXT NOT NULL,

  source TEXT,
  source_path TEXT,
  source_sha256 TEXT,
  duration_seconds REAL,
  audio_name TEXT,
  platform TEXT,
  changer_type TEXT,
  text TEXT,

  target_folder TEXT,
  name_template TEXT NOT NULL,
  output_format TEXT,
  task_id TEXT,
  audio_url TEXT,
  processing_time REAL,
  output_path TEXT,
  output_key TEXT,
  output_how TEXT,
  output_sha256 TEXT,
  output_bytes INTEGER,
  output_device TEXT,
  output_inode TEXT
) STRICT;

CREATE INDEX job_work ON job (runner, connection_id, phase, place) WHERE phase < 9;
CREATE INDEX job_next_try ON job (runner, next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX job_list ON job (listed, place);
CREATE INDEX job_change ON job (change);
CREATE INDEX job_asked ON job (asked_by) WHERE asked_by IS NOT NULL;
CREATE INDEX job_output ON job (output_key) WHERE output_key IS NOT NULL;
CREATE INDEX job_past ON job (connection_id, ended_at) WHERE state = 'done';

CREATE TABLE pause (
  connection_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER,
  tries INTEGER NOT NULL,
  problem TEXT,
  PRIMARY KEY (connection_id, reason)
) STRICT;
`;
