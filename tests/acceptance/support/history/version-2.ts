import { type Migration, migrations } from '../../../../src/main/core/database/schema.ts';

/** A test-only version after the latest: it adds a column, moves a table and rebuilds the word index. */
export const withVersion2: readonly Migration[] = [
  ...migrations,
  {
    version: (migrations.at(-1)?.version ?? 0) + 1,
    sql: `
      ALTER TABLE job ADD COLUMN note TEXT;
      UPDATE job SET note = id;
      CREATE INDEX job_note ON job (note);

      CREATE TABLE new_ledger (
        folder_id TEXT NOT NULL REFERENCES watch_folder (id) ON DELETE CASCADE,
        sha256 TEXT NOT NULL,
        settings_hash TEXT NOT NULL,
        job_id TEXT NOT NULL,
        path TEXT NOT NULL,
        duration_seconds REAL NOT NULL,
        submitted_at INTEGER NOT NULL,
        note TEXT,
        PRIMARY KEY (folder_id, sha256, job_id)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO new_ledger SELECT *, job_id FROM watch_ledger;
      DROP TABLE watch_ledger;
      ALTER TABLE new_ledger RENAME TO watch_ledger;

      DELETE FROM history_text;
      INSERT INTO history_text (rowid, name, folder, text, voice, origin, problem, tags, facets)
      SELECT number, name, folder, text, voice, origin, problem, tags, facets FROM history_words ORDER BY number;`,
  },
];
