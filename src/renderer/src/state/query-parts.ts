/** Filters that a search knows. Main reads them; here they are told apart only to be shown. */
export const filterNames = ['voice', 'status', 'kind', 'from', 'after', 'before', 'language', 'tag', 'is'] as const;
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
