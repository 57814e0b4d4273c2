import type { DatabaseSync } from 'node:sqlite';
import { foldWords } from '../../../shared/text/fold-text.ts';
import { AppError } from '../../../shared/errors.ts';
import type { HistoryDay, HistoryList, HistoryMonth, QueryError } from '../../../shared/schemas/history.ts';
import { createWorkerPool } from '../../../sound/worker-pool.ts';
import type { Clock } from '../clock.ts';
import { facet } from '../database/search-functions.ts';
import { createListeners } from '../events.ts';
import { keyAtTime } from './entries.ts';
import { parseQuery, type Query, type QueryFilter, type QueryWords } from './query.ts';

/** Selects entries: an FTS5 expression (null matches all), and a range of keys, `below` exclusive. */
export interface FtsQuery {
  readonly expression: string | null;
  readonly from: number;
  readonly below: number;
}

/** Indexed words with this prefix, or null if there are too many to list. */
export type ExpandPrefix = (prefix: string) => readonly string[] | null;

/** Prefixes up to this length have their own FTS5 index (schema.ts). */
const indexedPrefix = 3;

/** Words contain only letters and digits, facets also their marker: neither can end an FTS5 string. */
const quoted = (words: readonly string[]): string => `"${words.join(' ')}"`;
const anyOf = (expressions: readonly string[]): string => `(${expressions.join(' OR ')})`;

const anyEntry = anyOf(['conversion', 'speech'].map((kind) => quoted([facet('kind', kind)])));

/**
 * Adjacent `words`. A long prefix is expanded into its words: these are read from the newest entry
 * on, while a prefix query first collects all matches.
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

/**
 * An entry has many tags but one value of every other filter: several values of a filter mean any
 * of them, several tags mean all.
 */
function wantedFilters(filters: readonly QueryFilter[], wordsWith: ExpandPrefix): readonly string[] {
  const wanted = filters.filter(({ isNegated }) => !isNegated);
  const groups = Map.groupBy(wanted, (filter) => (filter.name === 'tag' ? filter : filter.name));
  return [...groups.values()].map((group) => anyOf(group.map((filter) => filterExpression(filter, wordsWith))));
}

/** Converts a search without errors to FTS5. User text never gets in: only folded words and facets. */
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

/** Each word in an expression costs an index lookup per entry; 64 are still fast. */
const maxWords = 64;

/**
 * Looks words up in the index. Each step seeks the next word directly: scanning the entries of one
 * is slow.
 */
export function createExpandPrefix(database: DatabaseSync): ExpandPrefix {
  const selectNext = database.prepare('SELECT term FROM history_vocabulary WHERE term >= ? LIMIT 1');
  return (prefix) => {
    const words: string[] = [];
    for (let at = prefix; ;) {
      const term = selectNext.get(at)?.['term'];
      if (typeof term !== 'string' || !term.startsWith(prefix)) return words;
      if (words.length === maxWords) return null;
      words.push(term);
      // Sorts after the word and before longer words: no word contains a control character.
      at = `${term}\u0001`;
    }
  };
}

/** A parsed search. With errors it matches nothing, unless they are harmless. */
interface ParsedSearch {
  readonly match: FtsQuery;
  readonly errors: readonly QueryError[];
  readonly terms: readonly string[];
}

export interface EntrySearch {
  parse(text: string): ParsedSearch;
  /** Keys of the newest matches, newest first. */
  newest(match: FtsQuery, limit: number): readonly number[];
}

/** Harmless errors: an open quote ends with the text, and a text that is too long is cut. */
const canRunWith: readonly QueryError['kind'][] = ['open-quote', 'too-long'];

/** An entry is found by its id, too. */
const entryId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

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
  const selectNumber = database.prepare(
    'SELECT history_entry.number FROM history_entry JOIN job ON job.number = history_entry.job WHERE job.id = ?',
  );
  return {
    parse(text) {
      const id = text.trim();
      const number = entryId.test(id) ? selectNumber.get(id)?.['number'] : undefined;
      if (typeof number === 'number') {
        return { match: { expression: null, from: number, below: number + 1 }, errors: [], terms: [] };
      }
      const query = parseQuery(text, clock.now());
      const { errors, highlights: terms } = query;
      const canRun = errors.every(({ kind }) => canRunWith.includes(kind));
      return { match: canRun ? toFtsQuery(query, wordsWith) : nothing, errors, terms };
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

/** What the worker counts. */
export interface ListRequest {
  /** Path of the database. */
  readonly path: string;
  readonly match: FtsQuery;
}

/** All matching entries. */
export interface CountedList {
  /** Newest first, in shared memory: passing it between threads copies nothing. */
  readonly numbers: Float64Array<SharedArrayBuffer>;
  /** Number of entries in the whole history. */
  readonly entries: number;
  readonly days: readonly HistoryDay[];
  readonly months: readonly HistoryMonth[];
}

/** The newest matches of a search. */
export interface FirstPage extends Omit<ParsedSearch, 'match'> {
  /** Identifies this list in `numbers` until the next search. */
  readonly list: number;
  /** Newest first. */
  readonly numbers: readonly number[];
  /** There are no further matches. */
  readonly isWhole: boolean;
}

/**
 * The current list. Each search makes a new one: it returns the newest entries and a worker counts
 * the rest. Until then the previous list stays readable. `stop` ends the worker.
 */
export interface ResultList {
  search(text: string): FirstPage;
  /** Keys of all rows, newest first. Throws `history/list-ended` unless this is the latest counted list. */
  numbers(list: number): CountedList['numbers'];
  onListed(listener: (list: HistoryList) => void): () => void;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly search: EntrySearch;
  /** Worker module: `./list-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
  onDefect(error: unknown): void;
}

const pageRows = 100;

export function createResultList({ database, search, workerUrl, onDefect }: Dependencies): ResultList {
  const path = database.location();
  if (path === null) throw new Error('history is counted by a second connection, and a database in memory has none');
  const pool = createWorkerPool<ListRequest, CountedList>({ workerUrl });
  const listeners = createListeners<HistoryList>();
  let list = 0;
  let latest: { readonly list: number; readonly counted: CountedList } | undefined;
  let counting = new AbortController();

  async function count(match: FtsQuery, which: number, signal: AbortSignal): Promise<void> {
    try {
      const result = await pool.run({ path: path ?? '', match }, { signal });
      if (signal.aborted) return;
      latest = { list: which, counted: result };
      const { numbers, entries, days, months } = result;
      listeners.emit({ list: which, matches: numbers.length, entries, days, months });
    } catch (error) {
      if (!signal.aborted) onDefect(error);
    }
  }

  return {
    search(text) {
      const { match, errors, terms } = search.parse(text);
      counting.abort();
      counting = new AbortController();
      list += 1;
      const found = search.newest(match, pageRows + 1);
      void count(match, list, counting.signal);
      return { list, numbers: found.slice(0, pageRows), isWhole: found.length <= pageRows, errors, terms };
    },
    numbers(which) {
      if (which !== latest?.list) throw new AppError('history/list-ended', `list ${which} is not the latest`);
      return latest.counted.numbers;
    },
    onListed: listeners.add,
    async stop() {
      counting.abort();
      await pool.stop();
    },
  };
}
