import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { conversionJob, testVoice } from '../../../../src/main/core/jobs/job.fixture.ts';
import { defaultSettings } from '../../../../src/shared/schemas/settings.ts';
import { jobStates } from '../../../../src/shared/schemas/job.ts';
import { watchedExtensions, type WatchSettings } from '../../../../src/shared/schemas/watch.ts';

export const endStates = ['done', 'failed', 'cancelled', 'uncertain'] as const;
const states = jobStates.map((state) => `'${state}'`).join(', ');
const firstEnd = Date.UTC(2024, 0, 1);

const jobId = "printf('00000000-0000-4000-8000-%012x', n)";

/** Paused: what is looked at are the rows. */
const inbox: Omit<WatchSettings, 'runsHook'> = {
  path: '/home/anna/Inbox',
  isRecursive: true,
  endings: watchedExtensions,
  connectionId: 'studio',
  conversion: { ...defaultSettings.conversion, voiceId: testVoice.id },
  outputFolder: null,
  afterwards: 'keep',
  dailyMinutes: null,
  hours: null,
  hasSubfolderVoices: false,
  speech: null,
};

/** Rows that are there before their jobs end: a watched file is what ties an entry to its folder. */
const beforeJobs = `
  INSERT INTO pause VALUES ('studio', 'person', 5, NULL, 0, NULL);
  INSERT INTO connection VALUES ('studio', '{"name":"Studio","hosts":{"voice":"http://127.0.0.1:9","upload":""}}', 5);
  INSERT INTO voice_catalogue VALUES ('studio', 5);
  INSERT INTO catalogue_voice VALUES ('studio', 0, 'anna', 'Anna', 'en-GB', 'female', 'natural');
  INSERT INTO favourite_voice VALUES ('studio', 'anna', 5);
  INSERT INTO watch_folder VALUES ('in', '${JSON.stringify(inbox)}', '${JSON.stringify(testVoice)}', NULL, '1', '2', 1, 1, 'answered', NULL, 5);
  INSERT INTO watched_file (folder_id, path, change_number, state_changed_at, is_present, device, inode, size_bytes, modified_ns,
    changed_ns, decision, stage, job_id, failures, is_forced)
  SELECT 'in', 'take ' || n || '.wav', n, 5, 1, '1', n, 9, '1', '1', 'job', 'rest', ${jobId}, 0, 0 FROM counter WHERE n % 10 = 0;
  INSERT INTO watch_ledger SELECT 'in', printf('%064d', n), 'hash', ${jobId}, 'take ' || n || '.wav', 1.5, 5
  FROM counter WHERE n % 10 = 0;
  INSERT INTO baseline_file (folder_id, path, device, inode, size_bytes, modified_ns, changed_ns, seen_at, is_present)
  VALUES ('in', 'old.wav', '1', '3', 9, '1', '1', 5, 1)`;

/** Annotations need entries. */
const afterJobs = `
  INSERT INTO history_favourite SELECT number FROM job WHERE number % 24 = 9;
  INSERT INTO history_tag SELECT number, 'keep' FROM job WHERE number % 24 = 10;
  INSERT INTO history_removed SELECT job, number, 5 FROM history_entry WHERE job % 24 = 11`;

/** Fills version 1 of the schema with jobs in every state, conversions and speech, and rows of the other tables. */
export function fillVersion1(database: DatabaseSync, count: number): void {
  const { document } = conversionJob().connection;
  database.prepare(`INSERT INTO connection_document VALUES ('hash', ?)`).run(JSON.stringify(document));
  const settings = conversionJob().settings;
  database.exec('BEGIN');
  database.exec('CREATE TEMP TABLE counter (n INTEGER PRIMARY KEY)');
  database
    .prepare(
      'WITH RECURSIVE up (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM up WHERE n + 1 < ?) INSERT INTO counter SELECT n FROM up',
    )
    .run(count);
  database.exec(beforeJobs);
  database
    .prepare(
      `INSERT INTO job (id, kind, state, position, change_number, revision, is_listed, owner, created_at, state_changed_at, started_at,
         ended_at, attempts, consecutive_failures, problem, timings, connection_id, connection_name, document_hash, voice, settings, source, source_path, source_sha256,
         duration_seconds, platform, text, target_folder, name_template, output_format, task_id, output_path, output_key, output_method,
         output_sha256, output_bytes, output_device, output_inode)
       WITH made AS (
           SELECT n, n / 12 % 2 AS isSpeech, :first + n / 3 * 60000 AS time,
             (SELECT value FROM json_each(json_array(${states})) WHERE key = n % 12) AS state
           FROM counter
         )
       SELECT ${jobId}, iif(isSpeech, 'speech', 'conversion'), state, n, n + 1, 3, 1, '', time, time,
         time, iif(n % 12 >= 8, time, NULL), 0, 0, iif(state = 'failed', '{"code":"network/cut","words":"upstream gone"}', NULL),
         '{"converting":12}', 'studio', 'Studio', 'hash', '{"id":"anna","name":"Anna","language":"en-GB","gender":"female","category":"natural"}',
         iif(isSpeech, :speech, :conversion),
         iif(isSpeech, NULL, json_object('path', '/home/anna/takes/take ' || n || '.wav', 'subfolder', '', 'snapshot', NULL)),
         iif(isSpeech, NULL, '/home/anna/takes/take ' || n || '.wav'), iif(isSpeech, NULL, printf('%064x', n)), iif(isSpeech, NULL, 2.5),
         iif(isSpeech, NULL, ''), iif(isSpeech, 'Good evening ' || n, NULL), '/out', '{name}', '.wav',
         iif(isSpeech, NULL, 'task-' || n), iif(state = 'done', '/out/take ' || n || '.wav', NULL),
         iif(state = 'done', '/out/take ' || n || '.wav', NULL), iif(state = 'done', 'link', NULL),
         iif(state = 'done', printf('%064x', -n), NULL), iif(state = 'done', 9, NULL), iif(state = 'done', '1', NULL),
         iif(state = 'done', n, NULL)
       FROM made`,
    )
    .run({
      first: firstEnd,
      conversion: JSON.stringify({ ...settings, voiceId: 'anna' }),
      speech: JSON.stringify({ voiceId: 'anna', language: 'en-GB', speed: 1, pitch: 1, engine: 'v7', platform: 'web' }),
    });
  database.exec(afterJobs);
  database.exec('COMMIT; DROP TABLE counter');
}

/** Tables with the user's data, with their columns. */
export type Tables = ReadonlyMap<string, readonly string[]>;

/** What triggers keep is no record of its own. */
const derived = new Set(['history_entry', 'history_change', 'history_filter_value', 'history_origin']);

export function tablesOf(database: DatabaseSync): Tables {
  const names = database
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !derived.has(name));
  return new Map(
    names.map((table) => {
      const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
      return [table, columns.map(({ name }) => String(name))];
    }),
  );
}

/** One hash a table, over all of its rows in their order, by the columns of the given tables. */
export function hashesOf(database: DatabaseSync, tables: Tables): Readonly<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const [table, columns] of tables) {
    const hash = createHash('sha256');
    const order = columns.map((_, k) => k + 1).join(', ');
    const rows = database.prepare(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY ${order}`);
    rows.setReturnArrays(true);
    for (const row of rows.iterate()) hash.update(`${JSON.stringify(row)}\n`);
    hashes[table] = hash.digest('hex');
  }
  return hashes;
}
