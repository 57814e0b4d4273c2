import { posix, win32 } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { foldWords } from '../../../shared/text/fold-text.ts';

/** What can be asked of an entry beside its words. Each is a word of the index that no text can have, because of its sign. */
export type FacetName = 'kind' | 'status' | 'language' | 'tag' | 'is';

/** A value without a word, such as a tag `***`, is told by its bytes: the index takes letters and digits only. */
const signsOf = (value: string): string => `§${Buffer.from(value.trim().normalize('NFKC')).toString('hex')}`;

export function facet(name: FacetName, value: string): string {
  const words = foldWords(value);
  return `§${name}§${words.length > 0 ? words.join('§') : signsOf(value)}`;
}

interface Faceted {
  readonly kind: string;
  readonly state: string;
  /** A tag such as `en-GB`, which some write `en_GB`. */
  readonly language: string;
  readonly isFavourite: boolean;
  readonly tags: readonly string[];
}

/** The facets of an entry. One in `en-GB` is in `en` too. */
export function facetsOf({ kind, state, language, isFavourite, tags }: Faceted): readonly string[] {
  const parts = language.split(/[-_]/).filter((part) => part !== '');
  return [
    facet('kind', kind),
    facet('status', state),
    ...parts.map((_, at) => facet('language', parts.slice(0, at + 1).join('-'))),
    ...(isFavourite ? [facet('is', 'favourite')] : []),
    ...tags.map((tag) => facet('tag', tag)),
  ];
}

/** Longer texts are found by what they begin with: a book would hold up the process that ends its job. */
const maxLength = 100_000;

/** The rules of the system that a path comes from: histories are carried from one computer to another. */
export const rulesOf = (path: string) => (path.startsWith('/') ? posix : win32);

const textOf = (value: SQLOutputValue | undefined): string => (typeof value === 'string' ? value : '');

function parsed(json: string): unknown {
  // Of most jobs nothing went wrong: an error that is caught costs as much as all the rest.
  if (json === '') return null;
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Gives texts in JSON objects; the triggers ask one object for several in a row. */
function createTextIn(): (json: string, key: string) => string {
  let last: { readonly json: string; readonly value: unknown } = { json: '', value: null };
  return (json, key) => {
    if (last.json !== json) last = { json, value: parsed(json) };
    const { value } = last;
    const text: unknown = typeof value === 'object' && value !== null && key in value ? value[key as never] : '';
    return typeof text === 'string' ? text : '';
  };
}

/**
 * What the triggers of history call: every connection that ends jobs needs them, and each must give the same for the same, because
 * they decide what the index holds. `fold_words` gives the words of a text with a space between them; `base_name` and `folder_name` the
 * parts of a path; `text_in` a text in a JSON object; `facet_words` the facets of a kind, a state, a language, a flag, and tags as JSON. What is null, or not what it ought to be, counts as empty: a row that
 * is damaged must not keep a job from its end, or a database from its present schema.
 */
export function addSearchFunctions(database: DatabaseSync): void {
  const options = { deterministic: true } as const;
  const textIn = createTextIn();
  database.function('fold_words', options, (text) => foldWords(textOf(text).slice(0, maxLength)).join(' '));
  database.function('base_name', options, (path) => rulesOf(textOf(path)).basename(textOf(path)));
  database.function('folder_name', options, (path) =>
    textOf(path) === '' ? '' : rulesOf(textOf(path)).dirname(textOf(path)),
  );
  database.function('text_in', options, (json, key) => textIn(textOf(json), textOf(key)));
  database.function('facet_words', options, (kind, state, language, isFavourite, tags) =>
    facetsOf({
      kind: textOf(kind),
      state: textOf(state),
      language: textOf(language),
      isFavourite: isFavourite === 1,
      tags: JSON.parse(textOf(tags)) as string[],
    }).join(' '),
  );
}
