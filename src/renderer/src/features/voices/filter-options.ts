import type { Messages } from '../../../../shared/messages/index.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { genderName, languageName } from './voice-labels.ts';
import type { FilterName, VoiceBrowser } from './voice-browser.svelte.ts';

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
}

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].filter((value) => value !== '');

function choices(values: readonly string[], any: string, inLanguage: string, nameOf: (value: string) => string) {
  const named = distinct(values).map((value) => ({ value, name: nameOf(value) }));
  const { compare } = new Intl.Collator(inLanguage, { numeric: true });
  // Two tags may have one name: the tag tells them apart.
  const label = ({ value, name }: { readonly value: string; readonly name: string }): string =>
    named.some((other) => other.name === name && other.value !== value) ? `${name} (${value})` : name;
  const sorted = named
    .map((entry) => ({ value: entry.value, label: label(entry) }))
    .sort((a, b) => compare(a.label, b.label));
  return [{ value: '', label: any }, ...sorted];
}

/** The languages of the voices, by their names in the person's language; the chosen one is always among them. */
export const languageChoices = (
  voices: readonly Voice[],
  chosen: string,
  { language, voices: t }: Messages,
): readonly FilterChoice[] =>
  choices([...voices.map((voice) => voice.language), chosen], t.anyLanguage, language, (tag) =>
    languageName(tag, language),
  );

/** The categories as the service calls them. */
export const categoryChoices = (
  voices: readonly Voice[],
  chosen: string,
  { language, voices: t }: Messages,
): readonly FilterChoice[] =>
  choices([...voices.map((voice) => voice.category), chosen], t.anyCategory, language, (name) => name);

/** The interface's two, and what else the voices have. */
export const genderChoices = (voices: readonly Voice[], chosen: string, messages: Messages): readonly FilterChoice[] =>
  choices(
    ['female', 'male', ...voices.map((voice) => voice.gender), chosen],
    messages.voices.anyGender,
    messages.language,
    (gender) => genderName(gender, messages),
  );

/** What a filter is set to, in words. */
export function filterLabels(
  filter: FilterName,
  { filters, text }: Pick<VoiceBrowser, 'filters' | 'text'>,
  messages: Messages,
): string {
  const { language, voices } = messages;
  switch (filter) {
    case 'text':
      return text.trim();
    case 'favourites':
      return voices.favourites;
    case 'language':
      return languageName(filters.language, language);
    case 'gender':
      return genderName(filters.gender, messages);
    case 'category':
      return filters.category;
  }
}
