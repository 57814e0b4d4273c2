import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { transaction, withoutWaiting } from '../database/transaction.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { TellProgress } from './tell-progress.ts';
import { createWordIndex } from './word-index.ts';

/** What a person says of entries. What is left out stays as it is. */
export interface HistoryMark {
  readonly isFavourite?: boolean;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
}

export interface HistoryMarks {
  /**
   * Marks the entries of these jobs, a part at a time, so that a long choice holds nobody up. Rejects with `data/not-writable` where the
   * database cannot be written at first; later parts wait for it. Rejects with the signal's reason; what was marked until then stays so.
   */
  mark(ids: readonly string[], mark: HistoryMark, signal: AbortSignal, onProgress?: TellProgress): Promise<void>;
  /** Every tag that is in use. */
  tags(): readonly string[];
}

/** Each writes its words anew: a few milliseconds. */
const entriesAtOnce = 50;

/** Marks entries of these jobs at once: a part of the transaction that it is called in. */
export function createMarkWriter(database: DatabaseSync): (ids: readonly string[], mark: HistoryMark) => void {
  const jobs = `SELECT history_entry.job, history_entry.number FROM history_entry JOIN job ON job.number = history_entry.job
    WHERE job.id IN (SELECT value FROM json_each(:ids))`;
  // The index of words takes them in ascending order several times as fast.
  const setFavourite = database.prepare(
    `INSERT OR IGNORE INTO history_favourite (job) SELECT job FROM (${jobs}) ORDER BY number`,
  );
  const clearFavourite = database.prepare(`DELETE FROM history_favourite WHERE job IN (SELECT job FROM (${jobs}))`);
  // A tag that differs by case or accents only is the same one: searches do not tell them apart.
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

export function createHistoryMarks(database: DatabaseSync, writes: Pick<WriteGate, 'write' | 'commit'>): HistoryMarks {
  const markNow = createMarkWriter(database);
  const words = createWordIndex(database);
  const selectTags = database.prepare('SELECT DISTINCT tag FROM history_tag');
  return {
    async mark(ids, mark, signal, onProgress) {
      for (let start = 0; start < ids.length; start += entriesAtOnce) {
        signal.throwIfAborted();
        const markSome = () => markNow(ids.slice(start, start + entriesAtOnce), mark);
        const writeSome = () => transaction(database, () => words.withoutMerging(markSome));
        // The last part takes the others to the disk.
        const isLast = start + entriesAtOnce >= ids.length;
        const write = isLast ? writeSome : () => withoutWaiting(database, writeSome);
        if (start === 0) writes.write(write);
        else await writes.commit(write, signal);
        const count = Math.min(start + entriesAtOnce, ids.length);
        onProgress?.({ share: count / ids.length, count });
        await nextTurn();
        await writes.commit(words.mergeSome, signal);
        await nextTurn();
      }
      while (await writes.commit(words.mergeSome, signal)) {
        signal.throwIfAborted();
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
