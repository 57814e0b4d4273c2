import type { DatabaseSync } from 'node:sqlite';
import type { QueryFault } from '../../../shared/wire/history.ts';
import type { Clock } from '../clock.ts';
import { matchOf, type Match } from './match-of.ts';
import { parseQuery } from './parse-query.ts';
import { createWordsWith } from './words-with.ts';

/** A search as it was understood. One with faults finds nothing, unless it can be run all the same. */
export interface ReadSearch {
  readonly match: Match;
  readonly faults: readonly QueryFault[];
  readonly terms: readonly string[];
}

export interface EntrySearch {
  read(text: string): ReadSearch;
  /** Numbers of the newest that match, newest first. */
  newest(match: Match, limit: number): readonly number[];
}

/** A quote that is still open reads as one that ends with the text, and a text that is too long as what fits of it. */
const canRunWith: readonly QueryFault['kind'][] = ['open-quote', 'too-long'];

const nothing: Match = { expression: null, from: 0, below: 0 };

export function createEntrySearch(database: DatabaseSync, clock: Pick<Clock, 'now'>): EntrySearch {
  const wordsWith = createWordsWith(database);
  const selectAll = database.prepare(
    'SELECT number FROM history_entry WHERE number >= :from AND number < :below ORDER BY number DESC LIMIT :limit',
  );
  const selectFound = database.prepare(
    `SELECT rowid AS number FROM history_text WHERE history_text MATCH :expression AND rowid >= :from AND rowid < :below
     ORDER BY rowid DESC LIMIT :limit`,
  );
  return {
    read(text) {
      const query = parseQuery(text, clock.now());
      const { faults, marks: terms } = query;
      const canRun = faults.every(({ kind }) => canRunWith.includes(kind));
      return { match: canRun ? matchOf(query, wordsWith) : nothing, faults, terms };
    },
    newest({ expression, from, below }, limit) {
      const rows =
        expression === null
          ? selectAll.all({ from, below, limit })
          : selectFound.all({ expression, from, below, limit });
      return rows.map(({ number }) => Number(number));
    },
  };
}
