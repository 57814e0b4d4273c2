import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { type HistoryRow, historyStates } from '../../../shared/schemas/history.ts';
import { speechTitle } from '../../../shared/text/text-parts.ts';
import {
  flag,
  fromRow,
  nullableNumber,
  nullableText,
  storedJson,
  storedProblem,
  type StoredRow,
  storedVoice,
} from '../database/columns.ts';
import { nextBatch } from '../database/checkpoints.ts';
import { rulesOf } from '../database/search-functions.ts';
import { transaction, relaxedCommit } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { CompareNames } from '../name-order.ts';
import type { OnProgress } from '../events.ts';
import { createEntryBatchSize, createWordIndex } from './word-index.ts';

/** Keys reserved for entries that end in the same millisecond. */
const keysPerMs = 1024;

/** Greater than every key; SQLite keys here stay within safe integers. */
export const endOfKeys = Number.MAX_SAFE_INTEGER;

/**
 * Latest time that an imported entry may have; the keys after it leave room for entries with the
 * same time.
 */
export const latestTime = Date.UTC(2200, 0);

/** The smallest key of an entry that ended at or after `time` (ms since 1970, may be infinite). */
export const keyAtTime = (time: number): number => Math.min(time * keysPerMs, endOfKeys);

/** End time of the entry with this key, in milliseconds since 1970. */
export const timeOfKey = (number: number): number => Math.floor(number / keysPerMs);

/** A row of history with what must not reach the page: its paths. */
export interface HistoryEntry extends Omit<HistoryRow, 'sourceMedia' | 'resultMedia'> {
  /** Null for a text without a file. */
  readonly sourcePath: string | null;
  /** The source was checked and its audio is valid. */
  readonly isExamined: boolean;
  /** Null unless it is done. */
  readonly resultPath: string | null;
}

/** Reads entries by number or by job id, newest first. Skips numbers and ids without an entry. */
export interface EntryReader {
  byNumbers(numbers: readonly number[]): readonly HistoryEntry[];
  byJobIds(ids: readonly string[]): readonly HistoryEntry[];
}

const entryRow = v.object({
  number: v.number(),
  id: v.string(),
  kind: v.picklist(['conversion', 'speech']),
  state: v.picklist(historyStates),
  endedAt: nullableNumber,
  voice: storedJson(storedVoice),
  durationSeconds: nullableNumber,
  sourcePath: nullableText,
  title: nullableText,
  beginning: nullableText,
  isExamined: flag,
  outputPath: nullableText,
  isWatched: flag,
  isFavourite: flag,
  tags: storedJson(v.array(v.string())),
  problem: v.nullable(storedJson(storedProblem)),
});

function read(stored: StoredRow): HistoryEntry {
  const { number, title, beginning, outputPath, ...row } = v.parse(entryRow, fromRow(stored));
  const { sourcePath } = row;
  return {
    ...row,
    endedAt: row.endedAt ?? timeOfKey(number),
    name: title || (sourcePath === null ? speechTitle(beginning ?? '') : rulesOf(sourcePath).basename(sourcePath)),
    resultPath: row.state === 'done' ? outputPath : null,
  };
}

/** Characters of a text that its title needs. */
const beginningLength = 400;

const selection = `
  SELECT history_entry.number, id, kind, state, ended_at, voice, seconds AS duration_seconds, source_path,
    text_in(settings, 'title') AS title, substr(text, 1, ${beginningLength}) AS beginning, output_format IS NOT NULL AS is_examined, output_path,
    EXISTS (SELECT 1 FROM history_origin WHERE history_origin.job = history_entry.job) AS is_watched, problem,
    EXISTS (SELECT 1 FROM history_favourite WHERE history_favourite.job = history_entry.job) AS is_favourite,
    (SELECT json_group_array(tag) FROM history_tag WHERE history_tag.job = history_entry.job) AS tags
  FROM history_entry JOIN job ON job.number = history_entry.job`;

/** Reports invalid rows to `onDefect` and skips them. */
export function createEntryReader(database: DatabaseSync, onDefect: (error: unknown) => void): EntryReader {
  const selectNumbers = database.prepare(
    `${selection} WHERE history_entry.number IN (SELECT value FROM json_each(?)) ORDER BY history_entry.number DESC`,
  );
  const selectJobs = database.prepare(
    `${selection} WHERE job.id IN (SELECT value FROM json_each(?)) ORDER BY history_entry.number DESC`,
  );
  for (const select of [selectNumbers, selectJobs]) select.setReadBigInts(true);
  const readAll = (rows: readonly StoredRow[]) =>
    rows.flatMap((row) => {
      try {
        return [read(row)];
      } catch (error) {
        onDefect(error);
        return [];
      }
    });
  return {
    byNumbers: (numbers) => readAll(selectNumbers.all(JSON.stringify(numbers))),
    byJobIds: (ids) => readAll(selectJobs.all(JSON.stringify(ids))),
  };
}

/** A change to favourite and tags. Omitted fields stay unchanged. */
export interface Annotation {
  readonly isFavourite?: boolean;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
}

export interface Annotations {
  /**
   * Updates the entries of these jobs in batches, so that a large selection blocks nothing. Rejects
   * with `data/not-writable` if the first batch cannot be written; later ones wait for the
   * database. Rejects with the signal's reason and keeps what was written until then.
   */
  update(ids: readonly string[], mark: Annotation, signal: AbortSignal, onProgress?: OnProgress): Promise<void>;
  /** Every tag in use, sorted. */
  tags(): readonly string[];
}

/** Updates entries of these jobs inside the caller's transaction. */
export function createAnnotationWriter(database: DatabaseSync): (ids: readonly string[], mark: Annotation) => void {
  const jobs = `SELECT history_entry.job, history_entry.number FROM history_entry JOIN job ON job.number = history_entry.job
    WHERE job.id IN (SELECT value FROM json_each(:ids))`;
  // The word index is several times faster with ascending keys.
  const setFavourite = database.prepare(
    `INSERT OR IGNORE INTO history_favourite (job) SELECT job FROM (${jobs}) ORDER BY number`,
  );
  const clearFavourite = database.prepare(`DELETE FROM history_favourite WHERE job IN (SELECT job FROM (${jobs}))`);
  // Tags that differ only by case or accents are the same: searches do not tell them apart.
  const addTag = database.prepare(
    `INSERT OR IGNORE INTO history_tag (job, tag) SELECT job, :tag FROM (${jobs}) AS wanted
     WHERE NOT EXISTS (
       SELECT 1 FROM history_tag WHERE history_tag.job = wanted.job AND fold_words(tag) = fold_words(:tag) AND fold_words(tag) <> ''
     ) ORDER BY number`,
  );
  const removeTag = database.prepare(`DELETE FROM history_tag WHERE tag = :tag AND job IN (SELECT job FROM (${jobs}))`);

  return (jobIds, { isFavourite, addTags = [], removeTags = [] }) => {
    const ids = JSON.stringify(jobIds);
    transaction(database, () => {
      if (isFavourite !== undefined) (isFavourite ? setFavourite : clearFavourite).run({ ids });
      for (const tag of removeTags) removeTag.run({ ids, tag });
      for (const tag of addTags) addTag.run({ ids, tag });
    });
  };
}

export function createAnnotations(
  database: DatabaseSync,
  writes: Pick<WriteGate, 'write' | 'commit'>,
  compareNames: CompareNames,
): Annotations {
  const updateNow = createAnnotationWriter(database);
  const words = createWordIndex(database);
  const selectTags = database.prepare('SELECT DISTINCT tag FROM history_tag');
  return {
    async update(ids, mark, signal, onProgress) {
      const size = createEntryBatchSize();
      for (let start = 0; start < ids.length;) {
        signal.throwIfAborted();
        const end = Math.min(start + size.next(), ids.length);
        const some = ids.slice(start, end);
        const writeSome = () =>
          size.measure(some.length, () =>
            transaction(database, () => words.withoutMerging(() => updateNow(some, mark))),
          );
        // The last batch syncs the earlier ones to disk.
        const write = end === ids.length ? writeSome : () => relaxedCommit(database, writeSome);
        if (start === 0) writes.write(write);
        else await writes.commit(write, signal);
        start = end;
        onProgress?.({ share: end / ids.length, count: end });
        await nextBatch(database);
        while (await writes.commit(words.mergeSome, signal)) {
          signal.throwIfAborted();
          await nextBatch(database);
        }
      }
    },
    tags: () =>
      selectTags
        .all()
        .map(({ tag }) => String(tag))
        .toSorted(compareNames),
  };
}
