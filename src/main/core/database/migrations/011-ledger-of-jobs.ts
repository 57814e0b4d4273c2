/**
 * The ledger has a row for each job, no longer one for each sound: a person may convert a sound again, on another day, and that job may
 * come to nothing while the first one was paid.
 */
export const ledgerOfJobs = `
CREATE TABLE watch_ledger_of_jobs (
  folder_id TEXT NOT NULL REFERENCES watch_folder (id) ON DELETE CASCADE,
  sha256 TEXT NOT NULL,
  settings_hash TEXT NOT NULL,
  job_id TEXT NOT NULL,
  path TEXT NOT NULL,
  duration_seconds REAL NOT NULL,
  taken_at INTEGER NOT NULL,
  PRIMARY KEY (folder_id, sha256, job_id)
) STRICT, WITHOUT ROWID;

INSERT INTO watch_ledger_of_jobs SELECT * FROM watch_ledger;
DROP TABLE watch_ledger;
ALTER TABLE watch_ledger_of_jobs RENAME TO watch_ledger;

CREATE INDEX watch_ledger_day ON watch_ledger (folder_id, taken_at);
`;
