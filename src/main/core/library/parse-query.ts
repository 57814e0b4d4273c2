import { foldWords } from '../../../shared/fold-text.ts';
import { longestQuery, type QueryFault } from '../../../shared/wire/history.ts';
import { isFilterName, isValueOf, type FilterName } from './query-filters.ts';
import { startOfDate } from './query-date.ts';

/** Words that stand side by side, folded: those of one written word (`take12`, `東京`), or of a quote. */
export interface QueryWords {
  readonly words: readonly string[];
  /** The last word may go on. */
  readonly isPrefix: boolean;
  readonly isNegated: boolean;
}

export interface QueryFilter {
  readonly name: Exclude<FilterName, 'after' | 'before'>;
  readonly value: string;
  /** It was not in quotes: a name may go on. */
  readonly isPrefix: boolean;
  readonly isNegated: boolean;
}

/** A search as it was understood. Where it has faults, other than a quote that is open, it is not to be run. */
export interface Query {
  readonly words: readonly QueryWords[];
  readonly filters: readonly QueryFilter[];
  /** Ends of jobs from `since` (inclusive) to `until` (exclusive), in milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
  readonly faults: readonly QueryFault[];
  /** Folded words to be marked where they are found. */
  readonly marks: readonly string[];
}

/** A part of a search as it was written. Positions count UTF-16 units. */
export interface QueryPart {
  readonly from: number;
  readonly to: number;
  readonly isNegated: boolean;
  /** As it was written, in lower case; null for text. */
  readonly filter: string | null;
  readonly valueFrom: number;
  readonly value: string;
  readonly quote: 'none' | 'closed' | 'open';
}

/**
 * At a position: an optional minus, an optional name with a colon, and a quote or a run without spaces. A quote ends at the next one,
 * or with the text. A minus alone is text.
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

/** As much of a text as a search may be, to the end of a word. */
function fitting(text: string): string {
  if (text.length <= longestQuery) return text;
  const most = text.slice(0, longestQuery);
  return most.replace(/\s\S*$/, '');
}

/**
 * Reads what a person wrote in the search field; `now` is what `today` counts from. Anything can be read: what is wrong comes back as
 * faults with their places. Dates of one search narrow each other; `after:` begins with its date, `before:` ends ahead of it.
 */
export function parseQuery(written: string, now: number): Query {
  const text = fitting(written);
  const words: QueryWords[] = [];
  const filters: QueryFilter[] = [];
  const faults: QueryFault[] = [];
  let [since, until] = [0, Infinity];
  const parts = splitQuery(text);
  if (text !== written) faults.push({ from: text.length, to: written.length, kind: 'too-long', word: '' });

  function readDate(name: 'after' | 'before', { value, isNegated }: QueryPart): QueryFault['kind'] | null {
    const start = startOfDate(value, now);
    if (start === null) return 'bad-date';
    if ((name === 'after') !== isNegated) since = Math.max(since, start);
    else until = Math.min(until, start);
    return null;
  }

  function readFilter(one: QueryPart, name: string): QueryFault['kind'] | null {
    const { value, isNegated, quote } = one;
    if (!isFilterName(name)) return 'unknown-filter';
    if (value.trim() === '') return 'empty';
    if (name === 'after' || name === 'before') return readDate(name, one);
    if (!isValueOf(name, value)) return 'bad-value';
    filters.push({ name, value, isPrefix: quote === 'none', isNegated });
    return null;
  }

  /** What may still be in writing: the last text that is looked for. */
  const last = parts.findLast(
    ({ filter, isNegated, value }) => filter === null && !isNegated && foldWords(value).length > 0,
  );
  for (const one of parts) {
    const { from, to, filter, value, isNegated, quote } = one;
    const fault = (kind: QueryFault['kind']) => faults.push({ from, to, kind, word: text.slice(from, to) });
    if (quote === 'open') fault('open-quote');
    if (filter !== null) {
      const kind = readFilter(one, filter);
      if (kind !== null) fault(kind);
      continue;
    }
    const folded = foldWords(value);
    if (folded.length > 0) words.push({ words: folded, isPrefix: one === last && quote !== 'closed', isNegated });
  }
  const signs = parts.find(({ filter, value }) => filter === null && !['', '-'].includes(value.trim()));
  if (signs && words.length === 0 && parts.every(({ filter }) => filter === null)) {
    const { from, to } = signs;
    faults.push({ from, to, kind: 'no-word', word: text.slice(from, to) });
  }
  const marks = new Set(words.flatMap((one) => (one.isNegated ? [] : one.words)));
  return { words, filters, since, until, faults, marks: [...marks] };
}
