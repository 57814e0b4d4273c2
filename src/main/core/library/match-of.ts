import { foldWords } from '../../../shared/fold-text.ts';
import { facet } from './facets.ts';
import { roomOf } from './entry-number.ts';
import type { Query, QueryFilter, QueryWords } from './parse-query.ts';

/** Which entries are meant, as the database is asked: an expression of its index (null: all), and a range of numbers, `below` exclusive. */
export interface Match {
  readonly expression: string | null;
  readonly from: number;
  readonly below: number;
}

/** Gives the words of the index that begin so, or null where they are too many to be named. */
export type WordsWith = (prefix: string) => readonly string[] | null;

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
function phrase(words: readonly string[], isPrefix: boolean, wordsWith: WordsWith): string {
  const last = words.at(-1) ?? '';
  if (!isPrefix) return quoted(words);
  const ends = last.length > indexedPrefix ? wordsWith(last) : null;
  if (ends === null) return `${quoted(words)} *`;
  if (ends.length === 0) return quoted(words);
  return anyOf(ends.map((end) => quoted([...words.slice(0, -1), end])));
}

const columnOf = { voice: 'voice', from: 'origin' } as const;

function filterExpression({ name, value, isPrefix }: QueryFilter, wordsWith: WordsWith): string {
  if (name !== 'voice' && name !== 'from') return quoted([facet(name, value)]);
  return `${columnOf[name]} : (${phrase(foldWords(value), isPrefix, wordsWith)})`;
}

/** An entry has any number of tags, and one of everything else: there several values mean any of them. */
function wantedFilters(filters: readonly QueryFilter[], wordsWith: WordsWith): readonly string[] {
  const wanted = filters.filter(({ isNegated }) => !isNegated);
  const groups = Map.groupBy(wanted, (filter) => (filter.name === 'tag' ? filter : filter.name));
  return [...groups.values()].map((group) => anyOf(group.map((filter) => filterExpression(filter, wordsWith))));
}

/** A search without faults in the language of the index. No text of a person gets there: only folded words and facets do. */
export function matchOf({ words, filters, since, until }: Query, wordsWith: WordsWith): Match {
  const text = (one: QueryWords) => phrase(one.words, one.isPrefix, wordsWith);
  const wanted = [...words.filter(({ isNegated }) => !isNegated).map(text), ...wantedFilters(filters, wordsWith)];
  const unwanted = [...words, ...filters]
    .filter(({ isNegated }) => isNegated)
    .map((one) => ('words' in one ? text(one) : filterExpression(one, wordsWith)));
  const range = { from: roomOf(since), below: roomOf(until) };
  if (wanted.length === 0 && unwanted.length === 0) return { ...range, expression: null };
  const all = wanted.length > 0 ? `(${wanted.join(' AND ')})` : anyEntry;
  return { ...range, expression: unwanted.length > 0 ? `${all} NOT ${anyOf(unwanted)}` : all };
}
