import type { DatabaseSync } from 'node:sqlite';
import { foldWords } from '../../../shared/text/fold-text.ts';
import type { QueryError } from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import { facet } from '../database/search-functions.ts';
import { keyAtTime } from './entries.ts';
import { parseQuery, type Query, type QueryFilter, type QueryWords } from './query.ts';

/** Which entries are meant, as the database is asked: an expression of its index (null: all), and a range of numbers, `below` exclusive. */
export interface FtsQuery {
  readonly expression: string | null;
  readonly from: number;
  readonly below: number;
}

/** Gives the words of the index that begin so, or null where they are too many to be named. */
export type ExpandPrefix = (prefix: string) => readonly string[] | null;

/** Prefixes up to this length have an index of their own (migration 6). */
const indexedPrefix = 3;

/** Words hold letters and digits, and facets their sign: neither ends a string of the index's language. */
const quoted = (words: readonly string[]): string => `"${words.join(' ')}"`;
const anyOf = (expressions: readonly string[]): string => `(${expressions.join(' OR ')})`;

const anyEntry = anyOf(['conversion', 'speech'].map((kind) => quoted([facet('kind', kind)])));

/**
 * `words` side by side. A longer prefix is named by the words that begin so: these are walked from the newest entry on, while a bare
 * prefix would first gather all that it matches.
 */
function phrase(words: readonly string[], isPrefix: boolean, wordsWith: ExpandPrefix): string {
  const last = words.at(-1) ?? '';
  if (!isPrefix) return quoted(words);
  const ends = last.length > indexedPrefix ? wordsWith(last) : null;
  if (ends === null) return `${quoted(words)} *`;
  if (ends.length === 0) return quoted(words);
  return anyOf(ends.map((end) => quoted([...words.slice(0, -1), end])));
}

const columnOf = { voice: 'voice', from: 'origin' } as const;

function filterExpression({ name, value, isPrefix }: QueryFilter, wordsWith: ExpandPrefix): string {
  if (name !== 'voice' && name !== 'from') return quoted([facet(name, value)]);
  return `${columnOf[name]} : (${phrase(foldWords(value), isPrefix, wordsWith)})`;
}

/** An entry has any number of tags, and one of everything else: there several values mean any of them. */
function wantedFilters(filters: readonly QueryFilter[], wordsWith: ExpandPrefix): readonly string[] {
  const wanted = filters.filter(({ isNegated }) => !isNegated);
  const groups = Map.groupBy(wanted, (filter) => (filter.name === 'tag' ? filter : filter.name));
  return [...groups.values()].map((group) => anyOf(group.map((filter) => filterExpression(filter, wordsWith))));
}

/** A search without faults in the language of the index. No text of a person gets there: only folded words and facets do. */
export function toFtsQuery({ words, filters, since, until }: Query, wordsWith: ExpandPrefix): FtsQuery {
  const text = (one: QueryWords) => phrase(one.words, one.isPrefix, wordsWith);
  const wanted = [...words.filter(({ isNegated }) => !isNegated).map(text), ...wantedFilters(filters, wordsWith)];
  const unwanted = [...words, ...filters]
    .filter(({ isNegated }) => isNegated)
    .map((one) => ('words' in one ? text(one) : filterExpression(one, wordsWith)));
  const range = { from: keyAtTime(since), below: keyAtTime(until) };
  if (wanted.length === 0 && unwanted.length === 0) return { ...range, expression: null };
  const all = wanted.length > 0 ? `(${wanted.join(' AND ')})` : anyEntry;
  return { ...range, expression: unwanted.length > 0 ? `${all} NOT ${anyOf(unwanted)}` : all };
}

/** A word more in an expression costs a look into the index at each entry; so many are still answered at once. */
const most = 64;

/** Looks words up in the index of history. Each step goes straight to the next word: stepping through the entries of one takes long. */
export function createExpandPrefix(database: DatabaseSync): ExpandPrefix {
  const selectNext = database.prepare('SELECT term FROM history_vocabulary WHERE term >= ? LIMIT 1');
  return (prefix) => {
    const words: string[] = [];
    for (let at = prefix; ;) {
      const term = selectNext.get(at)?.['term'];
      if (typeof term !== 'string' || !term.startsWith(prefix)) return words;
      if (words.length === most) return null;
      words.push(term);
      // Behind the word, and ahead of all that begin with it: no word has a control character.
      at = `${term}\u0001`;
    }
  };
}

/** A search as it was understood. One with faults finds nothing, unless it can be run all the same. */
export interface ReadSearch {
  readonly match: FtsQuery;
  readonly faults: readonly QueryError[];
  readonly terms: readonly string[];
}

export interface EntrySearch {
  read(text: string): ReadSearch;
  /** Numbers of the newest that match, newest first. */
  newest(match: FtsQuery, limit: number): readonly number[];
}

/** A quote that is still open reads as one that ends with the text, and a text that is too long as what fits of it. */
const canRunWith: readonly QueryError['kind'][] = ['open-quote', 'too-long'];

const nothing: FtsQuery = { expression: null, from: 0, below: 0 };

export function createEntrySearch(database: DatabaseSync, clock: Pick<Clock, 'now'>): EntrySearch {
  const wordsWith = createExpandPrefix(database);
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
      return { match: canRun ? toFtsQuery(query, wordsWith) : nothing, faults, terms };
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
