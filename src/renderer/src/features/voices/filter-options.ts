import type { Messages } from '../../../../shared/messages/index.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { genderName, languageName } from './voice-labels.ts';
import type { FilterName, VoiceBrowser } from './voice-browser.svelte.ts';

export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].filter((value) => value !== '');

function options(values: readonly string[], anyLabel: string, inLanguage: string, nameOf: (value: string) => string) {
  const named = distinct(values).map((value) => ({ value, name: nameOf(value) }));
  const { compare } = new Intl.Collator(inLanguage, { numeric: true });
  // Different tags can have the same name; the tag distinguishes them.
  const label = ({ value, name }: { readonly value: string; readonly name: string }): string =>
    named.some((other) => other.name === name && other.value !== value) ? `${name} (${value})` : name;
  const sorted = named
    .map((entry) => ({ value: entry.value, label: label(entry) }))
    .sort((a, b) => compare(a.label, b.label));
  return [{ value: '', label: anyLabel }, ...sorted];
}

/** Languages of the voices, named in the user's language, and the selected one. */
export const languageOptions = (
  voices: readonly Voice[],
  selected: string,
  { language, voices: t }: Messages,
): readonly FilterOption[] =>
  options([...voices.map((voice) => voice.language), selected], t.anyLanguage, language, (tag) =>
    languageName(tag, language),
  );

/** Categories as the service names them. */
export const categoryOptions = (
  voices: readonly Voice[],
  selected: string,
  { language, voices: t }: Messages,
): readonly FilterOption[] =>
  options([...voices.map((voice) => voice.category), selected], t.anyCategory, language, (name) => name);

/** The two genders of the interface, and others that voices have. */
export const genderOptions = (
  voices: readonly Voice[],
  selected: string,
  messages: Messages,
): readonly FilterOption[] =>
  options(
    ['female', 'male', ...voices.map((voice) => voice.gender), selected],
    messages.voices.anyGender,
    messages.language,
    (gender) => genderName(gender, messages),
  );

/** The value of an active filter as text. */
export function filterLabel(
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
