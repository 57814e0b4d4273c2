import { foldText } from '../../../shared/fold-text.ts';
import type { Messages } from '../../../shared/messages/index.ts';
import type { Voice } from '../../../shared/wire/voice.ts';

/** A region is told where the language is at home in several, or where it is not the one that everybody expects. */
function tellsRegion({ language, region }: Intl.Locale): boolean {
  if (region === undefined || region === language.toUpperCase()) return false;
  return language === 'en' || language === 'pt' || new Intl.Locale(language).maximize().region !== region;
}

interface Namer {
  readonly languages: Intl.DisplayNames;
  readonly regions: Intl.DisplayNames;
  /** By tag, because a catalogue of 20,000 voices has the same few tags. */
  readonly known: Map<string, string>;
}

const namers = new Map<string, Namer>();

function namerOf(inLanguage: string): Namer {
  const namer = namers.get(inLanguage) ?? {
    languages: new Intl.DisplayNames(inLanguage, { type: 'language' }),
    regions: new Intl.DisplayNames(inLanguage, { type: 'region', style: 'short' }),
    known: new Map(),
  };
  namers.set(inLanguage, namer);
  return namer;
}

function nameOf(tag: string, { languages, regions }: Namer): string {
  try {
    const locale = new Intl.Locale(tag);
    const language = languages.of(locale.language) ?? tag;
    const region = tellsRegion(locale) ? regions.of(locale.region ?? '') : undefined;
    return region === undefined ? language : `${language}, ${region}`;
  } catch (error) {
    if (error instanceof RangeError) return tag;
    throw error;
  }
}

/** "English, UK" for `en-GB`, "Norwegian Bokmål" for `nb-NO`; the tag itself where it is none. */
export function languageName(tag: string, inLanguage: string): string {
  const namer = namerOf(inLanguage);
  const name = namer.known.get(tag) ?? nameOf(tag, namer);
  namer.known.set(tag, name);
  return name;
}

/** The interface's two words in the person's language; what else a service says, as it says it. */
export const genderName = (gender: string, { voice }: Pick<Messages, 'voice'>): string =>
  gender === 'male' || gender === 'female' ? voice[gender] : gender;

/** The line under a voice's name. */
export const voiceLine = (voice: Voice, messages: Messages): string =>
  [languageName(voice.language, messages.language), genderName(voice.gender, messages)]
    .filter((word) => word !== '')
    .join(', ');

/** What a search compares of each voice, in one language; made when it is first searched for. */
const folded = new WeakMap<Voice, { readonly language: string; readonly text: string }>();

const foldedKinds = new Map<string, string>();

function foldedText(voice: Voice, messages: Messages): string {
  const { language } = messages;
  const known = folded.get(voice);
  if (known?.language === language) return known.text;
  const { gender, category } = voice;
  // What follows the name is the same for many voices.
  const kind = `${language} ${voice.language} ${gender} ${category}`;
  const rest = foldedKinds.get(kind) ?? foldText(`${voiceLine(voice, messages)} ${voice.language} ${category}`);
  foldedKinds.set(kind, rest);
  const text = `${foldText(voice.name)} ${rest}`;
  folded.set(voice, { language, text });
  return text;
}

/** Whether every word of a query is somewhere in what a person can read of a voice. */
export function voiceMatcher(query: string, messages: Messages): (voice: Voice) => boolean {
  const wanted = foldText(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return () => true;
  return (voice) => {
    const text = foldedText(voice, messages);
    return wanted.every((word) => text.includes(word));
  };
}
