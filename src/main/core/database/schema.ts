/** A step to a version of the schema. */
export interface Migration {
  /** Increases by one. The database's `user_version` is that of the last migration that ran. */
  readonly version: number;
  readonly sql: string;
}

/** Marks databases with this schema; the bytes spell `Timb`. https://www.sqlite.org/pragma.html#pragma_application_id */
export const applicationId = 0x54_69_6d_62;

// Times are milliseconds since 1970, flags are 0 or 1, hashes are hexadecimal SHA-256.

/** Condition of jobs that have not ended. Must match that of a partial index literally, or SQLite does not use it. */
export const unfinished = 'phase < 9';

/** Condition of jobs whose result is paid for but was not saved. The same holds. */
export const unfetched = "state IN ('failed', 'cancelled') AND (audio_url IS NOT NULL OR output_sha256 IS NOT NULL)";

/** Where the path of a job's recording leads to, if links are on it; else null. The same holds. */
export const realSourcePath = "iif(json_valid(source), source ->> '$.realPath', NULL)";

const jobTables = `
-- The documents of connections as they were when jobs were created; many jobs share one.
CREATE TABLE connection_document (
  hash TEXT PRIMARY KEY,
  document TEXT NOT NULL
) STRICT;

-- Conversions and speech with all that history shows. Rows are never deleted: an ended job is a history entry.
CREATE TABLE job (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  -- What the queue does first: fetch results, convert uploads, upload, create tasks, check sources; 9 has ended.
  phase INTEGER NOT NULL GENERATED ALWAYS AS (
    CASE
      WHEN state IN ('converted', 'publishing') THEN 0
      WHEN state IN ('uploaded', 'converting') THEN 1
      WHEN state IN ('created', 'uploading') THEN 2
      WHEN state IN ('queued', 'creating') THEN CASE WHEN output_format IS NULL THEN 4 ELSE 3 END
      ELSE 9
    END
  ) STORED,
  -- Order of the queue. A moved job gets the middle between its neighbours.
  position REAL NOT NULL,
  -- Counts the writes of all processes, so that each can select the changes since its last poll.
  change_number INTEGER NOT NULL,
  -- Counts the changes of this job.
  revision INTEGER NOT NULL,
  -- 0 once the user has removed the job from the queue's list.
  is_listed INTEGER NOT NULL,
  -- The process that runs the job, by its lock.
  owner TEXT NOT NULL,
  -- The command that has yet to learn the outcome.
  requested_by TEXT,
  created_at INTEGER NOT NULL,
  state_changed_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  next_try_at INTEGER,
  -- Failed steps: of the whole job, and since the last one that succeeded.
  attempts INTEGER NOT NULL,
  consecutive_failures INTEGER NOT NULL,
  problem TEXT,
  -- Milliseconds spent in each state, as JSON.
  timings TEXT NOT NULL,

  connection_id TEXT NOT NULL,
  connection_name TEXT NOT NULL,
  document_hash TEXT NOT NULL REFERENCES connection_document (hash),
  voice TEXT NOT NULL,
  settings TEXT NOT NULL,

  -- The recording as queued, as JSON; null for speech. Its path is repeated for the indexes.
  source TEXT,
  source_path TEXT,
  source_sha256 TEXT,
  duration_seconds REAL,
  audio_name TEXT,
  platform TEXT,
  changer_type TEXT,
  -- What is spoken; null for conversions.
  text TEXT,

  target_folder TEXT,
  name_template TEXT NOT NULL,
  -- Null until the source has been checked.
  output_format TEXT,
  task_id TEXT,
  -- May be signed and thus secret; cleared when the job is done.
  audio_url TEXT,
  processing_time REAL,
  output_path TEXT,
  -- The path as file systems compare names that they treat as equal.
  output_key TEXT,
  output_method TEXT,
  output_sha256 TEXT,
  output_bytes INTEGER,
  output_device TEXT,
  output_inode TEXT
) STRICT;

CREATE INDEX job_due ON job (owner, connection_id, phase, position) WHERE ${unfinished};
CREATE INDEX job_next_try ON job (owner, next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX job_list ON job (is_listed, position);
CREATE INDEX job_change ON job (change_number);
CREATE INDEX job_requested ON job (requested_by) WHERE requested_by IS NOT NULL;
CREATE INDEX job_output ON job (output_key) WHERE output_key IS NOT NULL;
CREATE INDEX job_output_content ON job (output_sha256) WHERE output_sha256 IS NOT NULL;
CREATE INDEX job_past ON job (connection_id, ended_at) WHERE state = 'done';
CREATE INDEX job_task ON job (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX job_source_path ON job (source_path) WHERE source_path IS NOT NULL;
CREATE INDEX job_source_content ON job (source_sha256) WHERE source_sha256 IS NOT NULL;
CREATE INDEX job_text ON job (substr(text, 1, 64)) WHERE text IS NOT NULL;

-- Why and until when the queue is on hold.
CREATE TABLE pause (
  -- Empty for all connections.
  connection_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  -- Null: until the user resumes.
  resumes_at INTEGER,
  -- Failed attempts to end it.
  tries INTEGER NOT NULL,
  problem TEXT,
  PRIMARY KEY (connection_id, reason)
) STRICT;
`;

const connectionTables = `
-- The user's connections. The id keys their token, which is stored elsewhere, and is never exported.
CREATE TABLE connection (
  id TEXT PRIMARY KEY,
  document TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Offline copies of catalogues. Not a foreign key, because the local engine has no row in \`connection\`.
CREATE TABLE voice_catalogue (
  connection_id TEXT PRIMARY KEY,
  fetched_at INTEGER NOT NULL
) STRICT;

-- The voices of a catalogue, in the service's order.
CREATE TABLE catalogue_voice (
  connection_id TEXT NOT NULL REFERENCES voice_catalogue (connection_id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  gender TEXT NOT NULL,
  category TEXT NOT NULL,
  PRIMARY KEY (connection_id, position)
) STRICT, WITHOUT ROWID;

-- The user's favourite voices.
CREATE TABLE favourite_voice (
  connection_id TEXT NOT NULL,
  voice_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (connection_id, voice_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER connection_voices AFTER DELETE ON connection BEGIN
  DELETE FROM voice_catalogue WHERE connection_id = OLD.id;
  DELETE FROM favourite_voice WHERE connection_id = OLD.id;
END;
`;

const watchTables = `
-- Watched folders of the window and of commands.
CREATE TABLE watch_folder (
  id TEXT PRIMARY KEY,
  settings TEXT NOT NULL,
  -- The voice as it was when the settings were saved.
  voice TEXT NOT NULL,
  -- How the folder is recognized: the id in its marker file, or else device and inode.
  marker TEXT,
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  -- 0 for a folder of a command, which the window does not show.
  is_listed INTEGER NOT NULL,
  is_paused INTEGER NOT NULL,
  -- How far the question about files from before is: scanning, asking, answered.
  baseline_stage TEXT NOT NULL,
  -- Lease: the process that watches it.
  owner TEXT,
  created_at INTEGER NOT NULL
) STRICT;

-- One row a file. Rows of deleted files stay: a file that comes back under another name is known by its content.
CREATE TABLE watched_file (
  folder_id TEXT NOT NULL REFERENCES watch_folder (id) ON DELETE CASCADE,
  -- Relative to the folder.
  path TEXT NOT NULL,
  -- Order of the list; the newest is highest.
  change_number INTEGER NOT NULL,
  state_changed_at INTEGER NOT NULL,
  is_present INTEGER NOT NULL,
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  -- Nanoseconds since 1970.
  modified_ns TEXT NOT NULL,
  changed_ns TEXT NOT NULL,
  sha256 TEXT,
  duration_seconds REAL,
  decision TEXT NOT NULL,
  -- open: in progress; attention: needs the user; rest: settled.
  stage TEXT NOT NULL,
  -- Path of the file with the same content that was converted.
  duplicate_of TEXT,
  problem TEXT,
  job_id TEXT,
  failures INTEGER NOT NULL,
  next_try_at INTEGER,
  -- The user wants it converted, whatever the ledger says.
  is_forced INTEGER NOT NULL,
  -- What happened to the source once its result was made.
  disposal_state TEXT,
  moved_to TEXT,
  UNIQUE (folder_id, path)
) STRICT;

CREATE INDEX watched_file_order ON watched_file (folder_id, change_number);
CREATE INDEX watched_file_stage ON watched_file (folder_id, stage) WHERE stage <> 'rest';
CREATE INDEX watched_file_job ON watched_file (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX watched_file_decision ON watched_file (folder_id, decision);
CREATE INDEX watched_file_content ON watched_file (folder_id, sha256) WHERE sha256 IS NOT NULL;

-- Files from before the folder was watched, in the order in which they were found. A first scan finds fifty
-- thousand at once, so a row must cost little: only the inode is indexed, because a renamed file has another path.
CREATE TABLE baseline_file (
  number INTEGER PRIMARY KEY,
  folder_id TEXT NOT NULL REFERENCES watch_folder (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  modified_ns TEXT NOT NULL,
  changed_ns TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  is_present INTEGER NOT NULL,
  duration_seconds REAL,
  UNIQUE (folder_id, path)
) STRICT;

CREATE INDEX baseline_file_inode ON baseline_file (inode);

-- Ledger: what was submitted, so that Timbre never pays twice by itself. Written in one transaction with the job. A
-- row a job, as the user may convert a content again, and that job may fail although the first one was paid.
-- The hash of a row of a table ends in "unfinished" until all of its rows are submitted.
CREATE TABLE watch_ledger (
  folder_id TEXT NOT NULL REFERENCES watch_folder (id) ON DELETE CASCADE,
  sha256 TEXT NOT NULL,
  settings_hash TEXT NOT NULL,
  job_id TEXT NOT NULL,
  path TEXT NOT NULL,
  duration_seconds REAL NOT NULL,
  submitted_at INTEGER NOT NULL,
  PRIMARY KEY (folder_id, sha256, job_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX watch_ledger_day ON watch_ledger (folder_id, submitted_at);

-- Originals on their way to \`Done\`, hidden in their folder under a name with the job's id. Written before one loses its
-- name, deleted once it has one again. Not in \`watched_file\`, because the next recording may have the same name.
CREATE TABLE stashed_source (
  job_id TEXT PRIMARY KEY,
  folder_id TEXT NOT NULL REFERENCES watch_folder (id) ON DELETE CASCADE,
  path TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** True of a job that has ended; `job` is `new`, `old` or the table. */
const hasEnded = (job: string) => `${job}.state IN ('done', 'failed', 'cancelled', 'uncertain')`;

/** Entry numbers reserved for each millisecond; more entries overflow into the next one's. */
const numbersPerMs = 1024;

const firstNumberOf = (job: string) => `coalesce(${job}.ended_at, ${job}.state_changed_at) * ${numbersPerMs}`;

/** The lowest number from `first`, the first of a millisecond, that is higher than all used ones of it. */
const nextNumber = (first: string) => `(
  WITH RECURSIVE block (first, last) AS (
    SELECT ${first}, (SELECT max(number) FROM history_entry WHERE number BETWEEN ${first} AND ${first} + ${numbersPerMs - 1})
    UNION ALL
    SELECT
      first + ${numbersPerMs},
      (
        SELECT max(number) FROM history_entry
        WHERE number BETWEEN block.first + ${numbersPerMs} AND block.first + ${2 * numbersPerMs - 1}
      )
    FROM block WHERE last = first + ${numbersPerMs - 1}
  )
  SELECT coalesce(last + 1, first) FROM block ORDER BY first DESC LIMIT 1
)`;

const addEntry = `
  INSERT INTO history_entry (number, job, seconds)
  SELECT ${nextNumber(firstNumberOf('new'))}, new.number, new.duration_seconds
  WHERE NOT EXISTS (SELECT 1 FROM history_removed WHERE job = new.number)`;

const indexedTexts = 'name, folder, text, voice, origin, problem, tags, facets';
/** Indexes entries that are not in the index. */
const addWords = (which: string) =>
  `INSERT INTO history_text (rowid, ${indexedTexts}) SELECT number, ${indexedTexts} FROM history_words WHERE ${which}`;
/** Indexes an entry anew. No `OR REPLACE`: the conflict clause of the statement that fires a trigger overrides it. */
const replaceWords = (job: string) => `
  DELETE FROM history_text WHERE rowid = (SELECT number FROM history_entry WHERE job = ${job});
  ${addWords(`job = ${job}`)}`;
const countChange = 'UPDATE history_change SET change = change + 1';

/** Indexed columns of a job that may change after its end. */
const laterChanges = ['source_path', 'audio_name', 'output_path', 'problem'];

const followAnnotations = (table: string) => `
CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
  ${replaceWords('new.job')};
END;
CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} BEGIN
  ${replaceWords('old.job')};
END;
`;

const historyTables = `
-- Ended jobs, kept by triggers, so that no process can end or reopen a job past history. The number is the time of the
-- end x ${numbersPerMs}, plus a counter within the millisecond: the order of numbers is that of the list, and pages and dates are
-- ranges. A reopened job loses its entry and gets a new number when it ends again.
CREATE TABLE history_entry (
  number INTEGER PRIMARY KEY,
  job INTEGER NOT NULL UNIQUE REFERENCES job (number),
  seconds REAL
) STRICT;

-- The watched folder that a job came from, kept when the folder is no longer watched.
CREATE TABLE history_origin (
  job INTEGER PRIMARY KEY REFERENCES job (number),
  watch_folder TEXT NOT NULL
) STRICT;

-- Annotations belong to the job and stay when it is reopened.
CREATE TABLE history_favourite (
  job INTEGER PRIMARY KEY REFERENCES job (number)
) STRICT;

CREATE TABLE history_tag (
  job INTEGER NOT NULL REFERENCES job (number),
  tag TEXT NOT NULL,
  PRIMARY KEY (job, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX history_tag_name ON history_tag (tag);

-- Removed entries, with the number that an undo gives back.
CREATE TABLE history_removed (
  job INTEGER PRIMARY KEY REFERENCES job (number),
  number INTEGER NOT NULL,
  removed_at INTEGER NOT NULL
) STRICT;

-- Values that complete a filter of the search.
CREATE TABLE history_filter_value (
  filter TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (filter, value)
) STRICT, WITHOUT ROWID;

-- One row: counts entries added and removed.
CREATE TABLE history_change (change INTEGER NOT NULL) STRICT;
INSERT INTO history_change VALUES (0);

-- The index of all entries' words, by entry number. Facets are words that no text contains: \`§status§failed\`.
CREATE VIRTUAL TABLE history_text USING fts5(
  ${indexedTexts}, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3'
);
CREATE VIRTUAL TABLE history_vocabulary USING fts5vocab(history_text, instance);

-- What is indexed of an entry; search-functions.ts has the functions.
CREATE VIEW history_words AS
SELECT
  history_entry.number AS number,
  job.number AS job,
  fold_words(
    base_name(job.source_path)
      || CASE WHEN job.audio_name IS NULL OR job.audio_name = base_name(job.source_path) THEN '' ELSE ' ' || job.audio_name END
      || ' ' || base_name(job.output_path)
  ) AS name,
  fold_words(
    folder_name(job.source_path)
      || CASE WHEN folder_name(job.source_path) = folder_name(job.output_path) THEN '' ELSE ' ' || folder_name(job.output_path) END
  ) AS folder,
  fold_words(job.text) AS text,
  fold_words(text_in(job.voice, 'name')) AS voice,
  fold_words(job.connection_name || ' ' || base_name((SELECT watch_folder FROM history_origin WHERE history_origin.job = job.number))) AS origin,
  fold_words(text_in(job.problem, 'code') || ' ' || text_in(job.problem, 'words')) AS problem,
  fold_words((SELECT group_concat(tag, ' ') FROM history_tag WHERE history_tag.job = job.number)) AS tags,
  facet_words(
    job.kind,
    job.state,
    iif(text_in(job.settings, 'language') <> '', text_in(job.settings, 'language'), text_in(job.voice, 'language')),
    EXISTS (SELECT 1 FROM history_favourite WHERE history_favourite.job = job.number),
    (SELECT json_group_array(tag) FROM history_tag WHERE history_tag.job = job.number)
  ) AS facets
FROM history_entry JOIN job ON job.number = history_entry.job;

CREATE TRIGGER history_entry_added AFTER INSERT ON history_entry BEGIN
  INSERT INTO history_origin (job, watch_folder)
  SELECT new.job, text_in(watch_folder.settings, 'path')
  FROM watched_file JOIN watch_folder ON watch_folder.id = watched_file.folder_id
  WHERE watched_file.job_id = (SELECT id FROM job WHERE number = new.job) LIMIT 1 ON CONFLICT DO NOTHING;
  INSERT INTO history_filter_value (filter, value)
  SELECT filter, value FROM (
    SELECT 'voice' AS filter, text_in(voice, 'name') AS value FROM job WHERE number = new.job
    UNION ALL SELECT 'language', text_in(voice, 'language') FROM job WHERE number = new.job
    UNION ALL SELECT 'from', connection_name FROM job WHERE number = new.job
    UNION ALL SELECT 'from', base_name(watch_folder) FROM history_origin WHERE job = new.job
  ) WHERE value <> '' ON CONFLICT DO NOTHING;
  ${addWords('number = new.number')};
  ${countChange};
END;

CREATE TRIGGER history_entry_deleted AFTER DELETE ON history_entry BEGIN
  DELETE FROM history_text WHERE rowid = old.number;
  ${countChange};
END;

CREATE TRIGGER history_job_added AFTER INSERT ON job WHEN ${hasEnded('new')} BEGIN
  ${addEntry};
END;

CREATE TRIGGER history_job_ended AFTER UPDATE OF state ON job WHEN ${hasEnded('new')} AND NOT ${hasEnded('old')} BEGIN
  ${addEntry};
END;

CREATE TRIGGER history_job_reopened AFTER UPDATE OF state ON job WHEN ${hasEnded('old')} AND NOT ${hasEnded('new')} BEGIN
  DELETE FROM history_entry WHERE job = new.number;
END;

CREATE TRIGGER history_job_changed AFTER UPDATE OF ${laterChanges.join(', ')} ON job
WHEN ${hasEnded('old')} AND ${hasEnded('new')} AND (${laterChanges.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')}) BEGIN
  ${replaceWords('new.number')};
END;

CREATE TRIGGER history_entry_removed AFTER INSERT ON history_removed BEGIN
  DELETE FROM history_entry WHERE job = new.job;
END;

CREATE TRIGGER history_removal_undone AFTER DELETE ON history_removed BEGIN
  INSERT INTO history_entry (number, job, seconds)
  SELECT
    CASE
      WHEN old.number >= ${firstNumberOf('job')} AND NOT EXISTS (SELECT 1 FROM history_entry WHERE number = old.number) THEN old.number
      ELSE ${nextNumber(firstNumberOf('job'))}
    END,
    job.number, job.duration_seconds
  FROM job WHERE job.number = old.job AND ${hasEnded('job')};
END;

${['history_favourite', 'history_tag'].map(followAnnotations).join('')}
-- Results removed with their entries, hidden in their folder under a name with this id. Written before the file is
-- touched, deleted once it is in the trash or has its name again.
CREATE TABLE removed_file (
  id TEXT PRIMARY KEY,
  -- The removal that is undone as a whole.
  removal TEXT NOT NULL,
  -- trash or restore.
  intent TEXT NOT NULL,
  -- Ids of the entries with this result, as JSON.
  jobs TEXT NOT NULL,
  -- Its path before, and how the name was reserved.
  path TEXT NOT NULL,
  method TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  -- The name reserved for restoring it.
  restore_path TEXT,
  restore_method TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX removed_file_removal ON removed_file (removal);

-- Entries that an undo has yet to show again, by job id and in order. All of an undo are written first, so that the next
-- start can finish it.
CREATE TABLE pending_restore (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE
) STRICT;
`;

const presetTable = `
-- The user's presets: a voice of a connection with its settings, under a name. Contains no secret. Not a foreign key,
-- because a preset outlives its connection, and the local engine has no row in \`connection\`.
CREATE TABLE preset (
  id TEXT PRIMARY KEY,
  -- conversion or speech.
  kind TEXT NOT NULL,
  -- Unique in its kind, ignoring case, which SQLite cannot compare: the store checks it under the write lock.
  name TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  -- Names of connection and voice as they were when it was saved, to say what is missing.
  connection_name TEXT NOT NULL,
  voice_name TEXT NOT NULL,
  settings TEXT NOT NULL,
  -- Counts the changes of connection and settings, so that a watched folder can tell that its preset has changed.
  revision INTEGER NOT NULL,
  -- 1 for the default of its connection; one per kind.
  is_default INTEGER NOT NULL
) STRICT;
`;

const hookTable = `
-- Results that the user's program is still to be run for, or that it failed for, in the order of their end. A row is
-- written with the job's last state, and deleted once the program succeeded.
CREATE TABLE hook_run (
  number INTEGER PRIMARY KEY,
  job TEXT NOT NULL UNIQUE REFERENCES job (id),
  -- The process that runs it, by its lock.
  owner TEXT NOT NULL,
  -- Counted before each start: a program that ends Timbre or the computer must not be started again without end.
  starts INTEGER NOT NULL,
  -- Why it failed, as JSON; null while it is to be run.
  problem TEXT
) STRICT;

CREATE INDEX hook_run_due ON hook_run (owner, number) WHERE problem IS NULL;
`;

const previewTable = `
-- Previews of voices, whose sounds are in \`previews/\`. A row is written before the call that makes its sound, so that
-- after a crash it tells that the call may have been charged for. Not a foreign key, because the local engine has no row
-- in \`connection\`.
CREATE TABLE voice_preview (
  connection_id TEXT NOT NULL,
  voice_id TEXT NOT NULL,
  -- SHA-256 of what is heard: the text and all settings.
  content_hash TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  -- Where the sound is to be fetched from. May be signed and thus secret; cleared once its file has its name.
  audio_url TEXT,
  -- Written before the file gets this name. If the file is gone, it is only made again after a question.
  file TEXT,
  -- Measured in the file.
  f0_hz REAL,
  brightness REAL,
  level_db REAL,
  PRIMARY KEY (connection_id, voice_id, content_hash)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER connection_previews AFTER DELETE ON connection BEGIN
  DELETE FROM voice_preview WHERE connection_id = OLD.id;
END;
`;

/** A file that is changed while it is converted has another job when the first one ends, so its row no longer tells. */
const originAtSubmission = `
CREATE TRIGGER watch_ledger_added AFTER INSERT ON watch_ledger BEGIN
  INSERT INTO history_origin (job, watch_folder)
  SELECT job.number, text_in(watch_folder.settings, 'path') FROM job JOIN watch_folder ON watch_folder.id = new.folder_id
  WHERE job.id = new.job_id ON CONFLICT DO NOTHING;
END;
`;

const takeTable = `
-- The last speech call for a passage of each job with a long text, written before the call. Unless its take is among the
-- files in \`takes/\`, whose name begins with the hash, nobody knows whether the call was carried out.
CREATE TABLE take_call (
  job TEXT PRIMARY KEY REFERENCES job (id),
  -- SHA-256 of what is heard: the text and all settings.
  hash TEXT NOT NULL,
  -- Where the sound is to be fetched from. May be signed and thus secret; replaced with the next call.
  audio_url TEXT
) STRICT, WITHOUT ROWID;
`;

const voiceNoteTable = `
-- The user's notes on voices. Not a foreign key, because the local engine has no row in \`connection\`, and a voice that left
-- the catalogue may return.
CREATE TABLE voice_note (
  connection_id TEXT NOT NULL,
  voice_id TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (connection_id, voice_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER connection_notes AFTER DELETE ON connection BEGIN
  DELETE FROM voice_note WHERE connection_id = OLD.id;
END;
`;

/** What a row of `baseline_file` adds to the totals of its folder. */
const baselineShare = (row: 'old' | 'new' | 'baseline_file') => ({
  files: `${row}.is_present`,
  texts: `(${row}.is_present AND (${['txt', 'md', 'srt', 'vtt', 'csv'].map((ending) => `${row}.path LIKE '%.${ending}'`).join(' OR ')}))`,
  // At most 30 years, so that no sum overflows, whatever the header of a file states.
  milliseconds: `iif(${row}.is_present, CAST(round(min(max(coalesce(${row}.duration_seconds, 0), 0), 1e9) * 1000) AS INTEGER), 0)`,
});
const [added, removed, counted] = [baselineShare('new'), baselineShare('old'), baselineShare('baseline_file')] as const;

const baselineTotals = `
-- The totals of each folder's rows in \`baseline_file\`: the window shows them often, and counting takes main milliseconds
-- for each ten thousand.
CREATE TABLE baseline_total (
  folder_id TEXT PRIMARY KEY REFERENCES watch_folder (id) ON DELETE CASCADE,
  known INTEGER NOT NULL DEFAULT 0,
  -- Those that are present, the texts of them, and the length of the measured ones.
  files INTEGER NOT NULL DEFAULT 0,
  texts INTEGER NOT NULL DEFAULT 0,
  milliseconds INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

INSERT INTO baseline_total (folder_id, known, files, texts, milliseconds)
SELECT watch_folder.id, count(number), coalesce(sum(${counted.files}), 0), coalesce(sum(${counted.texts}), 0),
  coalesce(sum(${counted.milliseconds}), 0)
FROM watch_folder LEFT JOIN baseline_file ON baseline_file.folder_id = watch_folder.id GROUP BY watch_folder.id;

CREATE TRIGGER baseline_total_begun AFTER INSERT ON watch_folder BEGIN
  INSERT INTO baseline_total (folder_id) VALUES (new.id);
END;

CREATE TRIGGER baseline_file_added AFTER INSERT ON baseline_file BEGIN
  UPDATE baseline_total SET known = known + 1, files = files + ${added.files}, texts = texts + ${added.texts},
    milliseconds = milliseconds + ${added.milliseconds}
  WHERE folder_id = new.folder_id;
END;

CREATE TRIGGER baseline_file_changed AFTER UPDATE OF is_present, duration_seconds ON baseline_file
WHEN old.is_present <> new.is_present OR old.duration_seconds IS NOT new.duration_seconds BEGIN
  UPDATE baseline_total SET files = files + ${added.files} - ${removed.files}, texts = texts + ${added.texts} - ${removed.texts},
    milliseconds = milliseconds + ${added.milliseconds} - ${removed.milliseconds}
  WHERE folder_id = new.folder_id;
END;

CREATE TRIGGER baseline_file_removed AFTER DELETE ON baseline_file BEGIN
  UPDATE baseline_total SET known = known - 1, files = files - ${removed.files}, texts = texts - ${removed.texts},
    milliseconds = milliseconds - ${removed.milliseconds}
  WHERE folder_id = old.folder_id;
END;
`;

// The history may be a thousand times as long.
const unfetchedIndex = `CREATE INDEX job_unfetched ON job (connection_id) WHERE ${unfetched};`;

const hookOutputTable = `
-- What the user's program left in the place of a result that it changed: no recording, although no job published it.
CREATE TABLE hook_output (
  job TEXT PRIMARY KEY REFERENCES job (id),
  sha256 TEXT NOT NULL,
  size_bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX hook_output_content ON hook_output (sha256);
CREATE INDEX hook_output_size ON hook_output (size_bytes);
`;

// Nearly no recording is reached through links.
const realSourceIndex = `CREATE INDEX job_real_source ON job (${realSourcePath}) WHERE ${realSourcePath} IS NOT NULL;`;

// Whether a file may be a result is asked before it is read.
const outputBytesIndex = 'CREATE INDEX job_output_bytes ON job (output_bytes) WHERE output_bytes IS NOT NULL;';

/** All migrations from an empty file to the current schema. A released one never changes; a later one corrects it. */
export const migrations: readonly Migration[] = [
  { version: 1, sql: [jobTables, connectionTables, watchTables, historyTables].join('') },
  { version: 2, sql: presetTable },
  { version: 3, sql: hookTable },
  { version: 4, sql: previewTable },
  { version: 5, sql: originAtSubmission },
  { version: 6, sql: [takeTable, voiceNoteTable].join('') },
  { version: 7, sql: baselineTotals },
  { version: 8, sql: unfetchedIndex },
  { version: 9, sql: [hookOutputTable, realSourceIndex, outputBytesIndex].join('') },
];
