import type { Messages } from '../../../shared/messages/index.ts';
import type { Voice } from '../../../shared/wire/voice.ts';

/** A region is told where the language is at home in several, or where it is not the one that everybody expects. */
function tellsRegion({ language, region }: Intl.Locale): boolean {
  if (region === undefined || region === language.toUpperCase()) return false;
  return language === 'en' || language === 'pt' || new Intl.Locale(language).maximize().region !== region;
}

/** "English, UK" for `en-GB`, "Norwegian Bokmål" for `nb-NO`; the tag itself where it is none. */
export function languageName(tag: string, inLanguage: string): string {
  try {
    const locale = new Intl.Locale(tag);
    const language = new Intl.DisplayNames(inLanguage, { type: 'language' }).of(locale.language) ?? tag;
    if (!tellsRegion(locale)) return language;
    const region = new Intl.DisplayNames(inLanguage, { type: 'region', style: 'short' }).of(locale.region ?? '');
    return region === undefined ? language : `${language}, ${region}`;
  } catch (error) {
    if (error instanceof RangeError) return tag;
    throw error;
  }
}

/** The interface's two words in the person's language; what else a service says, as it says it. */
export const genderName = (gender: string, { voice }: Pick<Messages, 'voice'>): string =>
  gender === 'male' || gender === 'female' ? voice[gender] : gender;

/** The line under a voice's name. */
export const voiceLine = (voice: Voice, messages: Messages): string =>
  [languageName(voice.language, messages.language), genderName(voice.gender, messages)]
    .filter((word) => word !== '')
    .join(', ');

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether every word of a query stands somewhere in what a person can read of the voice. */
export function voiceMatches(voice: Voice, query: string, messages: Messages): boolean {
  const text = folded(`${voice.name} ${voiceLine(voice, messages)} ${voice.language} ${voice.category}`);
  return folded(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
