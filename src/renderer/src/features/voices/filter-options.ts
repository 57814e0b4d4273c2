import type { Messages } from '../../../../shared/messages/index.ts';
import type { ChoiceOption } from '../../ui/multi-select.ts';
import { genderName, languageName } from './voice-labels.ts';
import type { FilterName, VoiceBrowser, VoiceFilters } from './voice-browser.svelte.ts';

/** A value as the user reads it; categories are named by the service. */
function valueName(name: keyof VoiceFilters, value: string, messages: Messages): string {
  if (name === 'language') return languageName(value, messages.language);
  return name === 'gender' ? genderName(value, messages) : value;
}

/** The values that a property of the voices has, and those that are selected, by name. */
export function filterOptions(
  name: keyof VoiceFilters,
  browser: Pick<VoiceBrowser, 'filters' | 'countsOf'>,
  messages: Messages,
): readonly ChoiceOption[] {
  const counts = browser.countsOf(name);
  const always = name === 'gender' ? ['female', 'male'] : [];
  const values = [...new Set([...always, ...counts.keys(), ...browser.filters[name]])].filter((value) => value !== '');
  const named = values.map((value) => ({
    value,
    label: valueName(name, value, messages),
    count: counts.get(value) ?? 0,
  }));
  const byLabel = Map.groupBy(named, ({ label }) => label);
  const { compare } = new Intl.Collator(messages.language, { numeric: true });
  return (
    named
      // Different tags can have the same name; the tag distinguishes them.
      .map((one) =>
        (byLabel.get(one.label)?.length ?? 0) > 1 ? { ...one, label: `${one.label} (${one.value})` } : one,
      )
      .sort((a, b) => compare(a.label, b.label))
  );
}

/** Names of the selected values of a filter, as one text. */
export function filterLabel(
  filter: FilterName,
  { filters, text }: Pick<VoiceBrowser, 'filters' | 'text'>,
  messages: Messages,
): string {
  if (filter === 'text') return text.trim();
  if (filter === 'favourites') return messages.voices.favourites;
  return messages.format.list(filters[filter].map((value) => valueName(filter, value, messages)));
}
