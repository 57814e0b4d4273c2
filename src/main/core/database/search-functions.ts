import { posix, win32 } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { foldWords } from '../../../shared/text/fold-text.ts';

/** Search filters other than words. Each facet is indexed as a word that no text can contain, because of its `§`. */
type FacetName = 'kind' | 'status' | 'language' | 'tag' | 'is';

/** Encodes a value without letters or digits, such as `***`, as hex: the index accepts only letters and digits. */
const signsOf = (value: string): string => `§${Buffer.from(value.trim().normalize('NFKC')).toString('hex')}`;

export function facet(name: FacetName, value: string): string {
  const words = foldWords(value);
  return `§${name}§${words.length > 0 ? words.join('§') : signsOf(value)}`;
}

interface Faceted {
  readonly kind: string;
  readonly state: string;
  /** A language tag such as `en-GB`; services may also write `en_GB`. */
  readonly language: string;
  readonly isFavourite: boolean;
  readonly tags: readonly string[];
}

/** Returns the facets of an entry. One in `en-GB` also has the facet of `en`. */
function facetsOf({ kind, state, language, isFavourite, tags }: Faceted): readonly string[] {
  const parts = language.split(/[-_]/).filter((part) => part !== '');
  return [
    facet('kind', kind),
    facet('status', state),
    ...parts.map((_, at) => facet('language', parts.slice(0, at + 1).join('-'))),
    ...(isFavourite ? [facet('is', 'favourite')] : []),
    ...tags.map((tag) => facet('tag', tag)),
  ];
}

/** Only the start of longer texts is indexed: a whole book would block the process that ends its job. */
const maxIndexedLength = 100_000;

/** Returns the path module of the system that a path comes from, because histories move between computers. */
export const rulesOf = (path: string) => (path.startsWith('/') ? posix : win32);

const textOf = (value: SQLOutputValue | undefined): string => (typeof value === 'string' ? value : '');

function parsed(json: string): unknown {
  // Most jobs have no problem, and catching an error would cost as much as everything else.
  if (json === '') return null;
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Reads texts from JSON objects. Caches the last object, because the triggers read several of its keys in a row. */
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
 * Adds the SQL functions that the history triggers call, so every database connection that ends jobs needs them.
 * They must be deterministic, because the index is built from their results.
 * - `fold_words(text)`: the folded words of a text, separated by spaces
 * - `base_name(path)`, `folder_name(path)`: the parts of a path
 * - `text_in(json, key)`: a text in a JSON object
 * - `facet_words(kind, state, language, is_favourite, tags)`: the facets of an entry; `tags` is JSON
 *
 * Null and values of another type count as empty: a damaged row must not stop a job from ending, or a migration.
 */
export function addSearchFunctions(database: DatabaseSync): void {
  const options = { deterministic: true } as const;
  const textIn = createTextIn();
  database.function('fold_words', options, (text) => foldWords(textOf(text).slice(0, maxIndexedLength)).join(' '));
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
