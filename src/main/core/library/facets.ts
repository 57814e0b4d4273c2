import { foldWords } from '../../../shared/fold-text.ts';

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
