import type { DatabaseSync } from 'node:sqlite';
import { foldWords } from '../../../shared/fold-text.ts';
import { longestQuery, type HistorySuggestion, type HistorySuggestions } from '../../../shared/wire/history.ts';
import { splitQuery, type QueryPart } from './parse-query.ts';
import { filterNames, fixedValues, isFilterName, isValueOf, type FilterName } from './query-filters.ts';

/** As many as are read at a glance. */
const most = 10;

/** True where the words begun are beginnings of words of the value: `br` of `Low bronze`. */
function isBegun(value: string, begun: string): boolean {
  const words = foldWords(value);
  return foldWords(begun).every((start) => words.some((word) => word.startsWith(start)));
}

/** A voice may be called so that no search can name it. */
const isFound = (name: FilterName, value: string): boolean =>
  name === 'after' || name === 'before' || isValueOf(name, value);

/** A value as it is written in a search; a quote in it cannot be. */
const written = (value: string): string =>
  /^[^\s"]+$/.test(value) ? `${value} ` : `"${value.replaceAll('"', ' ').trim()}" `;

function datesAt(now: number): readonly string[] {
  const at = new Date(now);
  const month = String(at.getMonth() + 1).padStart(2, '0');
  return ['today', 'yesterday', '7d', '1m', `${at.getFullYear()}-${month}`, String(at.getFullYear())];
}

/** How searches may go on: names of filters, and values that history knows. */
export function createSuggest(
  database: DatabaseSync,
  now: () => number,
): (text: string, caret: number) => HistorySuggestions {
  const selectValues = database.prepare('SELECT value FROM history_value WHERE filter = ?');
  const selectTags = database.prepare('SELECT DISTINCT tag AS value FROM history_tag');

  function valuesOf(name: FilterName): readonly string[] {
    if (name === 'status' || name === 'kind' || name === 'is') return fixedValues[name];
    if (name === 'after' || name === 'before') return datesAt(now());
    const rows = name === 'tag' ? selectTags.all() : selectValues.all(name);
    return rows.map(({ value }) => String(value)).toSorted((a, b) => a.localeCompare(b));
  }

  const names = (begun: string): readonly HistorySuggestion[] =>
    filterNames
      .filter((name) => name.startsWith(begun.toLowerCase()))
      .map((name) => ({ insert: `${name}:`, label: `${name}:` }));

  const values = (name: FilterName, begun: string): readonly HistorySuggestion[] =>
    valuesOf(name)
      .filter((value) => isFound(name, value) && isBegun(value, begun))
      .slice(0, most)
      .map((value) => ({ insert: written(value), label: value }));

  function within(text: string, caret: number, part: QueryPart): HistorySuggestions {
    const { filter, valueFrom, to } = part;
    if (filter === null) {
      return { from: valueFrom, to, items: part.quote === 'none' ? names(text.slice(valueFrom, caret)) : [] };
    }
    if (!isFilterName(filter) || caret < valueFrom) return { from: caret, to: caret, items: [] };
    const items = values(filter, text.slice(valueFrom, caret));
    // The space behind a value is there already where something follows it.
    return { from: valueFrom, to: text[to] === ' ' ? to + 1 : to, items };
  }

  return (text, caret) => {
    if (text.length > longestQuery) return { from: caret, to: caret, items: [] };
    const part = splitQuery(text).find(({ from, to }) => from < caret && caret <= to);
    return part ? within(text, caret, part) : { from: caret, to: caret, items: names('') };
  };
}
