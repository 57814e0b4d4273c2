/** True of a job that has ended; `job` is `new`, `old` or the table. */
const ended = (job: string) => `${job}.state IN ('done', 'failed', 'cancelled', 'uncertain')`;

/** Numbers of one millisecond stand in one room of this many; a room that is full overflows into the next one. */
const room = 1024;

/** The lowest number from `first`, the beginning of a room, behind all that were given in it. */
const nextNumber = (first: string) => `(
  WITH RECURSIVE room (first, last) AS (
    SELECT ${first}, (SELECT max(number) FROM history_entry WHERE number BETWEEN ${first} AND ${first} + ${room - 1})
    UNION ALL
    SELECT
      first + ${room},
      (SELECT max(number) FROM history_entry WHERE number BETWEEN room.first + ${room} AND room.first + ${2 * room - 1})
    FROM room WHERE last = first + ${room - 1}
  )
  SELECT coalesce(last + 1, first) FROM room ORDER BY first DESC LIMIT 1
)`;

const firstOf = (job: string) => `coalesce(${job}.ended_at, ${job}.since) * ${room}`;
const columns = 'name, folder, text, voice, origin, problem, tags, facets';
/** Writes the words of an entry that has none yet. */
const addWords = (which: string) =>
  `INSERT INTO history_text (rowid, ${columns}) SELECT number, ${columns} FROM history_words WHERE ${which}`;
/** Writes them anew. No `OR REPLACE`: the statement that fires a trigger would have the last word about conflicts. */
const renewWords = (job: string) => `
  DELETE FROM history_text WHERE rowid = (SELECT number FROM history_entry WHERE job = ${job});
  ${addWords(`job = ${job}`)}`;
const cameOrWent = 'UPDATE history_change SET change = change + 1';

/** Columns of a job that are indexed and may change after its end. */
const mayChange = ['source_path', 'audio_name', 'output_path', 'problem'];

const enter = (job: string) =>
  `INSERT INTO history_entry (number, job, seconds)
   SELECT ${nextNumber(firstOf(job))}, ${job}.number, ${job}.duration_seconds
   WHERE NOT EXISTS (SELECT 1 FROM history_removed WHERE job = ${job}.number)`;

const followMarks = (table: string) => `
CREATE TRIGGER ${table}_set AFTER INSERT ON ${table} BEGIN
  ${renewWords('new.job')};
END;
CREATE TRIGGER ${table}_taken AFTER DELETE ON ${table} BEGIN
  ${renewWords('old.job')};
END;
`;

/**
 * History: the jobs that have ended. It is kept by triggers, so that no process can end a job, or take one up again, past it.
 *
 * A number is the time of the end in milliseconds, times 1024, plus what sets apart entries of one millisecond: the order of numbers
 * is the order of the list, and pages, days, months and dates are ranges of it. A job that is taken up again leaves history, and has
 * a new number when it ends again. What a person said of it (`history_favourite`, `history_tag`, `history_removed`), and the
 * watched folder that it came from (`history_origin`), go by the job and stay. A removed one has no entry; brought back, it has its old number.
 *
 * `history_text` holds words only (see `search-functions.ts`), each under its entry's number. In `facets` stand words that no text can
 * have, because they begin with a sign: `§status§failed`. A prefix of up to three characters has an index of its own. `history_vocabulary`
 * lists the words. `history_change` counts entries that come and go. `history_value` keeps what a filter may be completed with.
 */
export const historyTables = `
CREATE TABLE history_entry (
  number INTEGER PRIMARY KEY,
  job INTEGER NOT NULL UNIQUE REFERENCES job (number),
  seconds REAL
) STRICT;

CREATE TABLE history_origin (
  job INTEGER PRIMARY KEY REFERENCES job (number),
  watch_folder TEXT NOT NULL
) STRICT;

CREATE TABLE history_favourite (
  job INTEGER PRIMARY KEY REFERENCES job (number)
) STRICT;

CREATE TABLE history_tag (
  job INTEGER NOT NULL REFERENCES job (number),
  tag TEXT NOT NULL,
  PRIMARY KEY (job, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX history_tag_name ON history_tag (tag);

CREATE TABLE history_removed (
  job INTEGER PRIMARY KEY REFERENCES job (number),
  number INTEGER NOT NULL,
  removed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE history_value (
  filter TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (filter, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE history_change (change INTEGER NOT NULL) STRICT;
INSERT INTO history_change VALUES (0);

CREATE VIRTUAL TABLE history_text USING fts5(
  ${columns}, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3'
);
CREATE VIRTUAL TABLE history_vocabulary USING fts5vocab(history_text, instance);

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

CREATE TRIGGER history_entered AFTER INSERT ON history_entry BEGIN
  INSERT INTO history_origin (job, watch_folder)
  SELECT new.job, text_in(watch_folder.settings, 'path')
  FROM watched_file JOIN watch_folder ON watch_folder.id = watched_file.folder_id
  WHERE watched_file.job_id = (SELECT id FROM job WHERE number = new.job) LIMIT 1 ON CONFLICT DO NOTHING;
  INSERT INTO history_value (filter, value)
  SELECT filter, value FROM (
    SELECT 'voice' AS filter, text_in(voice, 'name') AS value FROM job WHERE number = new.job
    UNION ALL SELECT 'language', text_in(voice, 'language') FROM job WHERE number = new.job
    UNION ALL SELECT 'from', connection_name FROM job WHERE number = new.job
    UNION ALL SELECT 'from', base_name(watch_folder) FROM history_origin WHERE job = new.job
  ) WHERE value <> '' ON CONFLICT DO NOTHING;
  ${addWords('number = new.number')};
  ${cameOrWent};
END;

CREATE TRIGGER history_left AFTER DELETE ON history_entry BEGIN
  DELETE FROM history_text WHERE rowid = old.number;
  ${cameOrWent};
END;

CREATE TRIGGER history_job_added AFTER INSERT ON job WHEN ${ended('new')} BEGIN
  ${enter('new')};
END;

CREATE TRIGGER history_job_ended AFTER UPDATE OF state ON job WHEN ${ended('new')} AND NOT ${ended('old')} BEGIN
  ${enter('new')};
END;

CREATE TRIGGER history_job_revived AFTER UPDATE OF state ON job WHEN ${ended('old')} AND NOT ${ended('new')} BEGIN
  DELETE FROM history_entry WHERE job = new.number;
END;

CREATE TRIGGER history_job_changed AFTER UPDATE OF ${mayChange.join(', ')} ON job
WHEN ${ended('old')} AND ${ended('new')} AND (${mayChange.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')}) BEGIN
  ${renewWords('new.number')};
END;

CREATE TRIGGER history_removal AFTER INSERT ON history_removed BEGIN
  DELETE FROM history_entry WHERE job = new.job;
END;

CREATE TRIGGER history_removal_undone AFTER DELETE ON history_removed BEGIN
  INSERT INTO history_entry (number, job, seconds)
  SELECT
    CASE
      WHEN old.number >= ${firstOf('job')} AND NOT EXISTS (SELECT 1 FROM history_entry WHERE number = old.number) THEN old.number
      ELSE ${nextNumber(firstOf('job'))}
    END,
    job.number, job.duration_seconds
  FROM job WHERE job.number = old.job AND ${ended('job')};
END;

${['history_favourite', 'history_tag'].map(followMarks).join('')}
-- Each number is behind the one before it, and in its own room where that is free.
INSERT INTO history_entry (number, job, seconds)
SELECT nth + max(${firstOf('job')} - nth) OVER (ORDER BY nth), number, duration_seconds
FROM (SELECT *, row_number() OVER (ORDER BY coalesce(ended_at, since), number) AS nth FROM job AS each WHERE ${ended('each')}) AS job;

-- Other entries of the same sound or text.
CREATE INDEX job_source_content ON job (source_sha256) WHERE source_sha256 IS NOT NULL;
CREATE INDEX job_text ON job (substr(text, 1, 64)) WHERE text IS NOT NULL;
`;
