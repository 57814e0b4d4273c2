import { capitalized } from '../../../../shared/messages/languages.ts';
import { formatFor, type LocaleFormat } from '../../../../shared/messages/locale-format.ts';
import type { Messages } from '../../../../shared/messages/index.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';

/** True if the region is worth naming: the language has several common ones, or it is not the usual one. */
function namesRegion({ language, region }: Intl.Locale): boolean {
  if (region === undefined || region === language.toUpperCase()) return false;
  return language === 'en' || language === 'pt' || new Intl.Locale(language).maximize().region !== region;
}

interface Namer {
  readonly languages: Intl.DisplayNames;
  readonly format: LocaleFormat;
  readonly regions: Intl.DisplayNames;
  /** Names by tag: a catalogue of 20,000 voices has few different tags. */
  readonly names: Map<string, string>;
}

const namers = new Map<string, Namer>();

function namerOf(inLanguage: string): Namer {
  const namer = namers.get(inLanguage) ?? {
    languages: new Intl.DisplayNames(inLanguage, { type: 'language' }),
    regions: new Intl.DisplayNames(inLanguage, { type: 'region', style: 'short' }),
    format: formatFor(inLanguage),
    names: new Map(),
  };
  namers.set(inLanguage, namer);
  return namer;
}

function nameOf(tag: string, inLanguage: string): string {
  const { languages, regions, format } = namerOf(inLanguage);
  try {
    const locale = new Intl.Locale(tag);
    const language = capitalized(languages.of(locale.language) ?? tag, inLanguage);
    const region = namesRegion(locale) ? regions.of(locale.region ?? '') : undefined;
    return format.facts(language, region);
  } catch (error) {
    if (error instanceof RangeError) return tag;
    throw error;
  }
}

/** "English, UK" for `en-GB`, "Norwegian Bokmål" for `nb-NO`; the text itself if it is no valid tag. */
export function languageName(tag: string, inLanguage: string): string {
  const { names } = namerOf(inLanguage);
  const name = names.get(tag) ?? nameOf(tag, inLanguage);
  names.set(tag, name);
  return name;
}

/** The two genders of the interface in the user's language; other values as the service names them. */
export const genderName = (gender: string, { voice }: Pick<Messages, 'voice'>): string =>
  gender === 'male' || gender === 'female' ? voice[gender] : gender;

/** Language and gender of a voice, shown below its name. */
export const voiceSummary = (voice: Voice, messages: Messages): string =>
  messages.format.facts(languageName(voice.language, messages.language), genderName(voice.gender, messages));
