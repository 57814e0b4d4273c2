import type { HistorySuggestion, HistorySuggestions } from '../../../../shared/schemas/history.ts';
import type { Api } from '../../lib/api.ts';
import { createLatest } from '../../lib/action.svelte.ts';

/** Filters that a search knows. Main reads them; here they are told apart only to be shown. */
const filterNames = ['voice', 'status', 'kind', 'from', 'after', 'before', 'language', 'tag', 'is'] as const;
export type FilterName = (typeof filterNames)[number];

/** A filter as it was written. */
export interface QueryFilter {
  readonly text: string;
  readonly name: FilterName;
  /** Without its quotes. */
  readonly value: string;
  readonly isNot: boolean;
}

/** A search in two: filters that are complete, each shown by itself, and what is still being written. */
export interface QueryParts {
  readonly filters: readonly QueryFilter[];
  readonly rest: string;
}

const filter = /^(-?)([a-z]+):(?:"([^"]*)"|([^\s"]+))$/iu;
/** Words with their spaces; a quotation is one word with what it clings to. */
const word = /(?:[^\s"]|"[^"]*(?:"|$))+/gu;

export function readFilter(text: string): QueryFilter | null {
  const [, not = '', written = '', quoted, plain] = filter.exec(text) ?? [];
  const name = filterNames.find((known) => known === written.toLowerCase());
  const value = quoted ?? plain ?? '';
  return name && value !== '' ? { text, name, value, isNot: not !== '' } : null;
}

/**
 * Takes the filters out of what is written. One that ends at the caret is still being written and stays; -1 says that nobody writes.
 */
export function splitQuery(text: string, caret: number): QueryParts {
  const filters: QueryFilter[] = [];
  const rest = text.replace(word, (part: string, at: number) => {
    const isWritten = at <= caret && caret <= at + part.length;
    const found = isWritten ? null : readFilter(part);
    if (found) filters.push(found);
    return found ? '' : part;
  });
  return { filters, rest: filters.length > 0 ? rest.replace(/\s+/gu, ' ').trimStart() : rest };
}

/** The whole search, filters first. */
export const joinQuery = ({ filters, rest }: QueryParts): string =>
  [...filters.map(({ text }) => text), rest].filter((part) => part !== '').join(' ');

/** How many UTF-16 units of the whole search stand before what is still being written. */
export const restStart = ({ filters }: QueryParts): number =>
  filters.reduce((sum, { text }) => sum + text.length + 1, 0);

/** A filter without its value, at the end. */
const begun = /(?:^|\s)-?\p{L}+:$/u;
const none: HistorySuggestions = { from: 0, to: 0, items: [] };

/** What is searched for: filters that are complete, what is being written behind them, and how that may go on. */
export class HistoryQuery {
  readonly #suggest: Api['history']['suggest'];
  readonly #onChange: () => void;
  readonly #begin = createLatest();
  #suggestions = $state.raw<HistorySuggestions>(none);

  filters = $state.raw<readonly QueryFilter[]>([]);
  rest = $state('');

  /** Somebody has the caret in the field. */
  #isWriting = $state(false);

  /** What is asked for: a filter whose value is about to be written asks for nothing yet. */
  readonly text: string = $derived.by(() => {
    const whole = joinQuery(this).trim();
    return this.#isWriting ? whole.replace(begun, '').trim() : whole;
  });
  readonly suggestions: readonly HistorySuggestion[] = $derived(this.#suggestions.items);

  constructor(suggest: Api['history']['suggest'], onChange: () => void) {
    this.#suggest = suggest;
    this.#onChange = onChange;
  }

  /** The field holds this now, with the caret there. */
  write(rest: string, caret: number): void {
    const { filters, rest: left } = splitQuery(rest, caret);
    this.#set([...this.filters, ...filters], left, true);
    void this.#ask(filters.length > 0 ? left.length : caret);
  }

  /** Nobody writes any more: what is a filter becomes one. */
  leave(): void {
    const { filters, rest } = splitQuery(this.rest, -1);
    this.#set([...this.filters, ...filters], rest, false);
    this.forgetSuggestions();
  }

  /** Takes a suggestion; the caret belongs at the end of what is written then. */
  take({ insert }: HistorySuggestion): void {
    const { from, to } = this.#suggestions;
    const whole = joinQuery(this);
    const start = restStart(this);
    const rest = `${whole.slice(start, from)}${insert}${whole.slice(to)}`;
    // A filter that still lacks its value goes on in the field.
    const written = insert.endsWith(':') ? rest : `${rest} `;
    this.write(written, written.length);
  }

  forgetSuggestions(): void {
    this.#begin();
    this.#suggestions = none;
  }

  /** Gives the last filter back to the field, to be changed. */
  unfold(): void {
    const last = this.filters.at(-1);
    if (!last) return;
    const rest = `${last.text}${this.rest === '' ? '' : ` ${this.rest}`}`;
    this.#set(this.filters.slice(0, -1), rest);
    void this.#ask(last.text.length);
  }

  remove(filter: QueryFilter): void {
    this.#set(
      this.filters.filter((one) => one !== filter),
      this.rest,
    );
  }

  /** The filter with this name and value is there, or it is not. */
  toggle(name: FilterName, value: string): void {
    const without = this.filters.filter((one) => one.name !== name || one.value !== value);
    const filter = readFilter(`${name}:${value}`);
    if (without.length < this.filters.length || !filter) this.#set(without, this.rest);
    else this.#set([...without, filter], this.rest);
  }

  /** What was made since then, and nothing else about time; null for any time. */
  since(date: string | null): void {
    const others = this.filters.filter(({ name }) => name !== 'after' && name !== 'before');
    const filter = date === null ? null : readFilter(`after:${date}`);
    this.#set(filter ? [...others, filter] : others, this.rest);
  }

  has(name: FilterName, value: string): boolean {
    return this.filters.some((one) => one.name === name && one.value === value && !one.isNot);
  }

  clear(): void {
    this.#set([], '');
    this.forgetSuggestions();
  }

  #set(filters: readonly QueryFilter[], rest: string, isWriting = this.#isWriting): void {
    const before = this.text;
    this.filters = filters;
    this.rest = rest;
    this.#isWriting = isWriting;
    if (this.text !== before) this.#onChange();
  }

  async #ask(caret: number): Promise<void> {
    const isLatest = this.#begin();
    const text = joinQuery(this);
    // A field without suggestions is a field all the same.
    const suggestions = await this.#suggest({ text, caret: Math.min(text.length, restStart(this) + caret) }).catch(
      () => none,
    );
    if (isLatest()) this.#suggestions = suggestions;
  }
}
