import type { DatabaseSync } from 'node:sqlite';
import type { CompareNames } from '../name-order.ts';
import { foldWords } from '../../../shared/text/fold-text.ts';
import { isoDay } from '../../../shared/text/iso-day.ts';
import {
  historyStates,
  type HistorySuggestion,
  type HistorySuggestions,
  longestQuery,
  type QueryError,
} from '../../../shared/schemas/history.ts';

/** Filters of a search, written `name:value`. */
export const filterNames = ['voice', 'status', 'kind', 'language', 'from', 'after', 'before', 'tag', 'is'] as const;
export type FilterName = (typeof filterNames)[number];

const known: ReadonlySet<string> = new Set(filterNames);
const isFilterName = (name: string): name is FilterName => known.has(name);

/** Filters with a fixed set of values. */
export const fixedValues = {
  status: historyStates,
  kind: ['conversion', 'speech'],
  is: ['favourite'],
} as const satisfies Partial<Record<FilterName, readonly string[]>>;

const isFixed = (name: FilterName): name is keyof typeof fixedValues => name in fixedValues;

/** True if the filter accepts the value. Dates are not checked here. */
function isValueOf(name: FilterName, value: string): boolean {
  if (isFixed(name)) return fixedValues[name].some((one) => one === value.toLowerCase());
  if (name === 'language') return /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i.test(value);
  return name === 'tag' || foldWords(value).length > 0;
}

const written = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const ago = /^(\d{1,4})([dwmy])$/;

const startOf = (year: number, month: number, day: number): number => new Date(year, month, day).getTime();

/**
 * Start of the period that a date filter names: `2026`, `2026-03`, `2026-03-15`, `today`,
 * `yesterday`, or days, weeks, months or years ago (`7d`, `2w`, `3m`, `1y`). Milliseconds since
 * 1970 in local time; null if it is not a date.
 */
function startOfDate(text: string, now: number): number | null {
  const word = text.toLowerCase();
  const at = new Date(now);
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()] as const;
  if (word === 'today') return startOf(year, month, day);
  if (word === 'yesterday') return startOf(year, month, day - 1);
  const back = ago.exec(word);
  if (back) {
    const count = Number(back[1]);
    if (back[2] === 'd') return startOf(year, month, day - count);
    if (back[2] === 'w') return startOf(year, month, day - 7 * count);
    const months = back[2] === 'm' ? count : 12 * count;
    // One month before 31 March is the last day of February.
    const lastDay = new Date(year, month - months + 1, 0).getDate();
    return startOf(year, month - months, Math.min(day, lastDay));
  }
  const parts = written.exec(word);
  if (!parts) return null;
  const [theYear, theMonth, theDay] = [Number(parts[1]), Number(parts[2] ?? 1) - 1, Number(parts[3] ?? 1)] as const;
  if (theYear < 1970) return null;
  const date = new Date(theYear, theMonth, theDay);
  // Date would turn 30 February into 2 March.
  return date.getMonth() === theMonth && date.getDate() === theDay ? date.getTime() : null;
}

/** Adjacent folded words: those of one written word (`take12`, `東京`) or of a quote. */
export interface QueryWords {
  readonly words: readonly string[];
  /** The last word is a prefix. */
  readonly isPrefix: boolean;
  readonly isNegated: boolean;
}

export interface QueryFilter {
  readonly name: Exclude<FilterName, 'after' | 'before'>;
  readonly value: string;
  /** It was not in quotes, so its last word is a prefix. */
  readonly isPrefix: boolean;
  readonly isNegated: boolean;
}

/** A parsed search. Must not run if it has errors other than an open quote or too much text. */
export interface Query {
  readonly words: readonly QueryWords[];
  readonly filters: readonly QueryFilter[];
  /** Jobs that ended from `since` (inclusive) to `until` (exclusive), in milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
  readonly errors: readonly QueryError[];
  /** Folded words to highlight. */
  readonly highlights: readonly string[];
}

/** A part of a search as written. Positions count UTF-16 units. */
export interface QueryPart {
  readonly from: number;
  readonly to: number;
  readonly isNegated: boolean;
  /** The filter name in lower case; null for text. */
  readonly filter: string | null;
  readonly valueFrom: number;
  readonly value: string;
  readonly quote: 'none' | 'closed' | 'open';
}

/**
 * Matches an optional minus, an optional name with a colon, and a quote or a run without spaces. A
 * quote ends at the next one or at the end of the text. A minus alone is text.
 */
const part = /(-(?=\S))?(?:([a-z]+):)?(?:"([^"]*)("|$)|(\S*))/iy;

/** `C:\takes` and `https://a.test` are text, and so is `Note:` at the end of a word. */
const cannotBeFilter = (name: string, value: string): boolean =>
  name.length < 2 || value === '' || /^[\\/]/.test(value);

export function splitQuery(text: string): readonly QueryPart[] {
  const parts: QueryPart[] = [];
  const space = /\s*/y;
  for (let at = 0; ;) {
    space.lastIndex = at;
    space.exec(text);
    at = space.lastIndex;
    if (at >= text.length) return parts;
    part.lastIndex = at;
    const found = part.exec(text);
    const to = Math.max(part.lastIndex, at + 1);
    const [, minus, written, quoted, quoteEnd, bare] = found ?? [];
    const value = quoted ?? bare ?? '';
    const name = written?.toLowerCase();
    const isText = name === undefined || (!isFilterName(name) && cannotBeFilter(name, value));
    const valueFrom = at + (minus?.length ?? 0) + (written === undefined ? 0 : written.length + 1);
    parts.push({
      from: at,
      to,
      isNegated: minus !== undefined,
      filter: isText ? null : name,
      valueFrom,
      value: isText && written !== undefined ? `${written}:${value}` : value,
      quote: quoted === undefined ? 'none' : quoteEnd === '' ? 'open' : 'closed',
    });
    at = to;
  }
}

/** The text cut to the maximum length at the end of a word. */
function truncated(text: string): string {
  if (text.length <= longestQuery) return text;
  const most = text.slice(0, longestQuery);
  return most.replace(/\s\S*$/, '');
}

/**
 * Parses the search field; `now` is the reference for `today`. Never throws: errors are returned as
 * errors with their positions. Several dates narrow each other; `after:` includes its date,
 * `before:` excludes it.
 */
export function parseQuery(written: string, now: number): Query {
  const text = truncated(written);
  const words: QueryWords[] = [];
  const filters: QueryFilter[] = [];
  const errors: QueryError[] = [];
  let [since, until] = [0, Infinity];
  const parts = splitQuery(text);
  if (text !== written) errors.push({ from: text.length, to: written.length, kind: 'too-long', word: '' });

  function readDate(name: 'after' | 'before', { value, isNegated }: QueryPart): QueryError['kind'] | null {
    const start = startOfDate(value, now);
    if (start === null) return 'bad-date';
    if ((name === 'after') !== isNegated) since = Math.max(since, start);
    else until = Math.min(until, start);
    return null;
  }

  function readFilter(one: QueryPart, name: string): QueryError['kind'] | null {
    const { value, isNegated, quote } = one;
    if (!isFilterName(name)) return 'unknown-filter';
    if (value.trim() === '') return 'empty';
    if (name === 'after' || name === 'before') return readDate(name, one);
    if (!isValueOf(name, value)) return 'bad-value';
    filters.push({ name, value, isPrefix: quote === 'none', isNegated });
    return null;
  }

  /** The last word of text: the user may still be typing it. */
  const last = parts.findLast(
    ({ filter, isNegated, value }) => filter === null && !isNegated && foldWords(value).length > 0,
  );
  for (const one of parts) {
    const { from, to, filter, value, isNegated, quote } = one;
    const report = (kind: QueryError['kind']) => errors.push({ from, to, kind, word: text.slice(from, to) });
    if (quote === 'open') report('open-quote');
    if (filter !== null) {
      const kind = readFilter(one, filter);
      if (kind !== null) report(kind);
      continue;
    }
    const folded = foldWords(value);
    if (folded.length > 0) words.push({ words: folded, isPrefix: one === last && quote !== 'closed', isNegated });
  }
  const signs = parts.find(({ filter, value }) => filter === null && !['', '-'].includes(value.trim()));
  if (signs && words.length === 0 && parts.every(({ filter }) => filter === null)) {
    const { from, to } = signs;
    errors.push({ from, to, kind: 'no-word', word: text.slice(from, to) });
  }
  const marks = new Set(words.flatMap((one) => (one.isNegated ? [] : one.words)));
  return { words, filters, since, until, errors, highlights: [...marks] };
}

/** Suggestions that can be read at a glance. */
const maxSuggestions = 10;

/** True if each typed word is a prefix of a word in the value: `br` for `Low bronze`. */
function matchesPrefixes(value: string, begun: string): boolean {
  const words = foldWords(value);
  return foldWords(begun).every((start) => words.some((word) => word.startsWith(start)));
}

/** No search can match some voice names, such as those without letters and digits. */
const isSearchable = (name: FilterName, value: string): boolean =>
  name === 'after' || name === 'before' || isValueOf(name, value);

/** A value in search syntax; quotes in it cannot be escaped and become spaces. */
const toSearchSyntax = (value: string): string =>
  /^[^\s"]+$/.test(value) ? `${value} ` : `"${value.replaceAll('"', ' ').trim()}" `;

function datesAt(now: number): readonly string[] {
  const at = new Date(now);
  return ['today', 'yesterday', '7d', '1m', isoDay(at).slice(0, 7), String(at.getFullYear())];
}

/** Completions: filter names, and values that occur in history. */
export function createSuggest(
  database: DatabaseSync,
  now: () => number,
  compareNames: CompareNames,
): (text: string, caret: number) => HistorySuggestions {
  const selectValues = database.prepare('SELECT value FROM history_filter_value WHERE filter = ?');
  const selectTags = database.prepare('SELECT DISTINCT tag AS value FROM history_tag');

  function valuesOf(name: FilterName): readonly string[] {
    if (name === 'status' || name === 'kind' || name === 'is') return fixedValues[name];
    if (name === 'after' || name === 'before') return datesAt(now());
    const rows = name === 'tag' ? selectTags.all() : selectValues.all(name);
    return rows.map(({ value }) => String(value)).toSorted(compareNames);
  }

  const names = (begun: string): readonly HistorySuggestion[] =>
    filterNames
      .filter((name) => name.startsWith(begun.toLowerCase()))
      .map((name) => ({ insert: `${name}:`, label: `${name}:` }));

  const values = (name: FilterName, begun: string): readonly HistorySuggestion[] =>
    valuesOf(name)
      .filter((value) => isSearchable(name, value) && matchesPrefixes(value, begun))
      .slice(0, maxSuggestions)
      .map((value) => ({ insert: toSearchSyntax(value), label: value }));

  function within(text: string, caret: number, part: QueryPart): HistorySuggestions {
    const { filter, valueFrom, to } = part;
    if (filter === null) {
      return { from: valueFrom, to, items: part.quote === 'none' ? names(text.slice(valueFrom, caret)) : [] };
    }
    if (!isFilterName(filter) || caret < valueFrom) return { from: caret, to: caret, items: [] };
    const items = values(filter, text.slice(valueFrom, caret));
    // Replaces an existing space, since the inserted value ends with one.
    return { from: valueFrom, to: text[to] === ' ' ? to + 1 : to, items };
  }

  return (text, caret) => {
    if (text.length > longestQuery) return { from: caret, to: caret, items: [] };
    const part = splitQuery(text).find(({ from, to }) => from < caret && caret <= to);
    return part ? within(text, caret, part) : { from: caret, to: caret, items: names('') };
  };
}
