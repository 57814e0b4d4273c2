import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { Problem } from '../../../shared/problem.ts';
import { historyStates, type HistoryState } from '../../../shared/wire/history.ts';
import type { Voice } from '../../../shared/wire/voice.ts';
import { inNumbers, storedJson, storedProblem, storedVoice, type JobRow } from '../jobs/job-row.ts';
import { titleOf } from '../jobs/output-of-job.ts';
import { timeOf } from './entry-number.ts';
import { rulesOf } from './search-functions.ts';

/** A job that has ended, as a list shows it; with paths, which are not for a page. */
export interface HistoryEntry {
  /** Its place: the higher, the later. */
  readonly number: number;
  readonly id: string;
  readonly kind: 'conversion' | 'speech';
  readonly state: HistoryState;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  /** File name of the source, or the first words of a text. */
  readonly name: string;
  readonly voice: Voice;
  readonly durationSeconds: number | null;
  /** Null for speech. */
  readonly sourcePath: string | null;
  /** Somebody has looked at the source, and it was sound. */
  readonly isExamined: boolean;
  /** Null unless it is done. */
  readonly resultPath: string | null;
  readonly isWatched: boolean;
  readonly isFavourite: boolean;
  readonly tags: readonly string[];
  readonly problem: Problem | null;
}

/** Reads entries: those of some numbers, newest first, or of one job. Numbers without an entry are passed over. */
export interface EntryReader {
  ofNumbers(numbers: readonly number[]): readonly HistoryEntry[];
  ofJobs(ids: readonly string[]): readonly HistoryEntry[];
}

const flag = v.pipe(
  v.number(),
  v.transform((value) => value === 1),
);
const entryRow = v.object({
  number: v.number(),
  id: v.string(),
  kind: v.picklist(['conversion', 'speech']),
  state: v.picklist(historyStates),
  ended_at: v.nullable(v.number()),
  voice: storedJson(storedVoice),
  seconds: v.nullable(v.number()),
  source_path: v.nullable(v.string()),
  beginning: v.nullable(v.string()),
  is_examined: flag,
  output_path: v.nullable(v.string()),
  is_watched: flag,
  is_favourite: flag,
  tags: storedJson(v.array(v.string())),
  problem: v.nullable(storedJson(storedProblem)),
});

function read(stored: JobRow): HistoryEntry {
  const row = v.parse(entryRow, inNumbers(stored));
  const { number, id, kind, state, voice, tags, problem, source_path: sourcePath } = row;
  return {
    number,
    id,
    kind,
    state,
    endedAt: row.ended_at ?? timeOf(number),
    name: sourcePath === null ? titleOf(row.beginning ?? '') : rulesOf(sourcePath).basename(sourcePath),
    voice,
    durationSeconds: row.seconds,
    sourcePath,
    isExamined: row.is_examined,
    resultPath: state === 'done' ? row.output_path : null,
    isWatched: row.is_watched,
    isFavourite: row.is_favourite,
    tags,
    problem,
  };
}

/** What is needed of a text for its title. */
const beginningLength = 400;

const selection = `
  SELECT history_entry.number, id, kind, state, ended_at, voice, seconds, source_path,
    substr(text, 1, ${beginningLength}) AS beginning, output_format IS NOT NULL AS is_examined, output_path,
    EXISTS (SELECT 1 FROM history_origin WHERE history_origin.job = history_entry.job) AS is_watched, problem,
    EXISTS (SELECT 1 FROM history_favourite WHERE history_favourite.job = history_entry.job) AS is_favourite,
    (SELECT json_group_array(tag) FROM history_tag WHERE history_tag.job = history_entry.job) AS tags
  FROM history_entry JOIN job ON job.number = history_entry.job`;

/** A row that holds no entry is told to `onDefect` and passed over. */
export function createEntryReader(database: DatabaseSync, onDefect: (error: unknown) => void): EntryReader {
  const selectNumbers = database.prepare(
    `${selection} WHERE history_entry.number IN (SELECT value FROM json_each(?)) ORDER BY history_entry.number DESC`,
  );
  const selectJobs = database.prepare(
    `${selection} WHERE job.id IN (SELECT value FROM json_each(?)) ORDER BY history_entry.number DESC`,
  );
  for (const select of [selectNumbers, selectJobs]) select.setReadBigInts(true);
  const readAll = (rows: readonly JobRow[]) =>
    rows.flatMap((row) => {
      try {
        return [read(row)];
      } catch (error) {
        onDefect(error);
        return [];
      }
    });
  return {
    ofNumbers: (numbers) => readAll(selectNumbers.all(JSON.stringify(numbers))),
    ofJobs: (ids) => readAll(selectJobs.all(JSON.stringify(ids))),
  };
}
