import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { transaction } from '../database/transaction.ts';

/** What a person says of entries. What is left out stays as it is. */
export interface HistoryMark {
  readonly isFavourite?: boolean;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
}

export interface HistoryMarks {
  /** Marks the entries of these jobs, a part at a time, so that a long choice holds nobody up. */
  mark(ids: readonly string[], mark: HistoryMark): Promise<void>;
  /** Every tag that is in use. */
  tags(): readonly string[];
}

/** Each writes its words anew: a few milliseconds. */
const entriesAtOnce = 50;

export function createHistoryMarks(database: DatabaseSync): HistoryMarks {
  const jobs = `SELECT history_entry.job FROM history_entry JOIN job ON job.number = history_entry.job
    WHERE job.id IN (SELECT value FROM json_each(:ids))`;
  const setFavourite = database.prepare(`INSERT OR IGNORE INTO history_favourite (job) ${jobs}`);
  const clearFavourite = database.prepare(`DELETE FROM history_favourite WHERE job IN (${jobs})`);
  // A tag that differs by case or accents only is the same one: searches do not tell them apart.
  const addTag = database.prepare(
    `INSERT OR IGNORE INTO history_tag (job, tag) SELECT job, :tag FROM (${jobs}) AS wanted
     WHERE NOT EXISTS (
       SELECT 1 FROM history_tag WHERE history_tag.job = wanted.job AND fold_words(tag) = fold_words(:tag) AND fold_words(tag) <> ''
     )`,
  );
  const removeTag = database.prepare(`DELETE FROM history_tag WHERE tag = :tag AND job IN (${jobs})`);
  const selectTags = database.prepare('SELECT DISTINCT tag FROM history_tag');

  function markSome(ids: string, { isFavourite, addTags = [], removeTags = [] }: HistoryMark): void {
    if (isFavourite !== undefined) (isFavourite ? setFavourite : clearFavourite).run({ ids });
    for (const tag of removeTags) removeTag.run({ ids, tag });
    for (const tag of addTags) addTag.run({ ids, tag });
  }

  return {
    async mark(ids, mark) {
      for (let start = 0; start < ids.length && database.isOpen; start += entriesAtOnce) {
        const some = JSON.stringify(ids.slice(start, start + entriesAtOnce));
        transaction(database, () => markSome(some, mark));
        await nextTurn();
      }
    },
    tags: () =>
      selectTags
        .all()
        .map(({ tag }) => String(tag))
        .toSorted((a, b) => a.localeCompare(b)),
  };
}
