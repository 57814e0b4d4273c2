import type { HistorySuggestion, HistorySuggestions } from '../../../../shared/schemas/history.ts';
import { isoDay } from '../../../../shared/text/iso-day.ts';
import type { Api } from '../../lib/api.ts';
import { createLatest } from '../../lib/action.svelte.ts';

/** The filters of a search. Main evaluates them; the page only shows each as a chip. */
const filterNames = ['voice', 'status', 'kind', 'from', 'after', 'before', 'language', 'tag', 'is'] as const;
export type FilterName = (typeof filterNames)[number];

/** A filter of the search text. */
export interface QueryFilter {
  readonly text: string;
  readonly name: FilterName;
  /** Without quotes. */
  readonly value: string;
  readonly isNegated: boolean;
}

/** A search text, split into complete filters, shown as chips, and the rest, shown in the field. */
export interface QueryParts {
  readonly filters: readonly QueryFilter[];
  readonly rest: string;
}

const filterPattern = /^(-?)([a-z]+):(?:"([^"]*)"|([^\s"]+))$/iu;
/** A word; quoted text belongs to the word it touches. */
const wordPattern = /(?:[^\s"]|"[^"]*(?:"|$))+/gu;

export function parseFilter(text: string): QueryFilter | null {
  const [, minus = '', filterName = '', quoted, plain] = filterPattern.exec(text) ?? [];
  const name = filterNames.find((known) => known === filterName.toLowerCase());
  const value = quoted ?? plain ?? '';
  return name && value !== '' ? { text, name, value, isNegated: minus !== '' } : null;
}

/** Splits a search text. The word at the caret is still being typed and stays in the rest; -1 means that there is no caret. */
export function splitQuery(text: string, caret: number): QueryParts {
  const filters: QueryFilter[] = [];
  const rest = text.replace(wordPattern, (part: string, start: number) => {
    const hasCaret = start <= caret && caret <= start + part.length;
    const found = hasCaret ? null : parseFilter(part);
    if (found) filters.push(found);
    return found ? '' : part;
  });
  return { filters, rest: filters.length > 0 ? rest.replace(/\s+/gu, ' ').trimStart() : rest };
}

/** The whole search text, filters first. */
export const joinQuery = ({ filters, rest }: QueryParts): string =>
  [...filters.map(({ text }) => text), rest].filter((part) => part !== '').join(' ');

/** The index of the rest in the whole search text, in UTF-16 units. */
export const restStart = ({ filters }: QueryParts): number =>
  filters.reduce((sum, { text }) => sum + text.length + 1, 0);

export const spans = ['any', 'today', 'week', 'month', 'year'] as const;
export type Span = (typeof spans)[number];

/** The first day of a span that ends today, as the value of an `after` filter; null for any time. */
export function spanStart(span: Span, now: number): string | null {
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- local
  const date = new Date(now);
  if (span === 'any') return null;
  if (span === 'year') return `${date.getFullYear()}-01-01`;
  date.setDate(date.getDate() - { today: 0, week: 6, month: 29 }[span]);
  return isoDay(date);
}

/** The span that the date filters select; `other` if it is none of these. */
export function spanOf(filters: readonly QueryFilter[], now: number): Span | 'other' {
  const dates = filters.filter(({ name }) => name === 'after' || name === 'before');
  if (dates.length === 0) return 'any';
  const [only] = dates;
  if (!only || dates.length > 1 || only.name !== 'after' || only.isNegated) return 'other';
  return spans.find((span) => spanStart(span, now) === only.value) ?? 'other';
}

/** A filter without a value, at the end. */
const incompleteFilterPattern = /(?:^|\s)-?\p{L}+:$/u;
const noSuggestions: HistorySuggestions = { from: 0, to: 0, items: [] };

/** A search as the user edits it: complete filters, the text behind them, and suggestions for it. */
export class HistoryQuery {
  readonly #suggest: Api['history']['suggest'];
  readonly #onChange: () => void;
  readonly #begin = createLatest();
  #suggestions = $state.raw<HistorySuggestions>(noSuggestions);

  filters = $state.raw<readonly QueryFilter[]>([]);
  rest = $state('');

  /** Whether the field has the focus. */
  #isEditing = $state(false);

  /** The text to search for. While the user types, a filter without a value is left out. */
  readonly text: string = $derived.by(() => {
    const text = joinQuery(this).trim();
    return this.#isEditing ? text.replace(incompleteFilterPattern, '').trim() : text;
  });
  readonly suggestions: readonly HistorySuggestion[] = $derived(this.#suggestions.items);

  constructor(suggest: Api['history']['suggest'], onChange: () => void) {
    this.#suggest = suggest;
    this.#onChange = onChange;
  }

  /** Called with the text of the field and its caret when it changes. */
  edit(rest: string, caret: number): void {
    const { filters, rest: remaining } = splitQuery(rest, caret);
    this.#set([...this.filters, ...filters], remaining, true);
    void this.#loadSuggestions(filters.length > 0 ? remaining.length : caret);
  }

  /** Called when the field loses the focus: its last word may become a filter. */
  endEditing(): void {
    const { filters, rest } = splitQuery(this.rest, -1);
    this.#set([...this.filters, ...filters], rest, false);
    this.clearSuggestions();
  }

  /** Replaces the whole search. */
  replace(text: string): void {
    const { filters, rest } = splitQuery(text, -1);
    this.#set(filters, rest, false);
    this.clearSuggestions();
  }

  /** Inserts a suggestion. The caret then belongs at the end of the field. */
  acceptSuggestion({ insert }: HistorySuggestion): void {
    const { from, to } = this.#suggestions;
    const text = joinQuery(this);
    const start = restStart(this);
    const rest = `${text.slice(start, from)}${insert}${text.slice(to)}`;
    // A filter without a value stays in the field.
    const edited = insert.endsWith(':') ? rest : `${rest} `;
    this.edit(edited, edited.length);
  }

  clearSuggestions(): void {
    this.#begin();
    this.#suggestions = noSuggestions;
  }

  /** Moves the last filter back into the field. */
  editLastFilter(): void {
    const last = this.filters.at(-1);
    if (!last) return;
    const rest = `${last.text}${this.rest === '' ? '' : ` ${this.rest}`}`;
    this.#set(this.filters.slice(0, -1), rest);
    void this.#loadSuggestions(last.text.length);
  }

  remove(filter: QueryFilter): void {
    this.#set(
      this.filters.filter((one) => one !== filter),
      this.rest,
    );
  }

  /** Adds a filter, or removes it if it is set. */
  toggle(name: FilterName, value: string): void {
    const without = this.filters.filter((one) => one.name !== name || one.value !== value);
    const filter = parseFilter(`${name}:${value}`);
    if (without.length < this.filters.length || !filter) this.#set(without, this.rest);
    else this.#set([...without, filter], this.rest);
  }

  /** Replaces all date filters by one; removes them for null. */
  setStartDate(date: string | null): void {
    const others = this.filters.filter(({ name }) => name !== 'after' && name !== 'before');
    const filter = date === null ? null : parseFilter(`after:${date}`);
    this.#set(filter ? [...others, filter] : others, this.rest);
  }

  has(name: FilterName, value: string): boolean {
    return this.filters.some((one) => one.name === name && one.value === value && !one.isNegated);
  }

  clear(): void {
    this.#set([], '');
    this.clearSuggestions();
  }

  #set(filters: readonly QueryFilter[], rest: string, isEditing = this.#isEditing): void {
    const before = this.text;
    this.filters = filters;
    this.rest = rest;
    this.#isEditing = isEditing;
    if (this.text !== before) this.#onChange();
  }

  async #loadSuggestions(caret: number): Promise<void> {
    const isLatest = this.#begin();
    const text = joinQuery(this);
    // Suggestions are optional.
    const suggestions = await this.#suggest({ text, caret: Math.min(text.length, restStart(this) + caret) }).catch(
      () => noSuggestions,
    );
    if (isLatest()) this.#suggestions = suggestions;
  }
}
