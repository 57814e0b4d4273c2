import { foldText } from '../../../../shared/text/fold-text.ts';
import type { Messages } from '../../../../shared/messages/index.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';

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
export const voiceSummary = (voice: Voice, messages: Messages): string =>
  [languageName(voice.language, messages.language), genderName(voice.gender, messages)]
    .filter((word) => word !== '')
    .join(', ');

/** What a search compares of a voice: its name, and what follows it, which is the same text for many voices. */
interface SearchText {
  readonly name: string;
  readonly kind: string;
}

interface SearchTexts {
  readonly language: string;
  /** In the order of the list. */
  readonly texts: SearchText[];
}

const foldedNames = new WeakMap<Voice, string>();
const foldedKinds = new Map<string, string>();
const textsOfLists = new WeakMap<readonly Voice[], SearchTexts>();

function searchText(voice: Voice, messages: Messages): SearchText {
  const { language, gender, category } = voice;
  const name = foldedNames.get(voice) ?? foldText(voice.name);
  foldedNames.set(voice, name);
  const key = `${messages.language} ${language} ${gender} ${category}`;
  const kind = foldedKinds.get(key) ?? foldText(`${voiceSummary(voice, messages)} ${language} ${category}`);
  foldedKinds.set(key, kind);
  return { name, kind };
}

/** Folds voices of a list while `hasTime`. Returns whether all are folded, so that a search of the list folds none. */
export function foldVoices(voices: readonly Voice[], messages: Messages, hasTime: () => boolean = () => true): boolean {
  const { language } = messages;
  const known = textsOfLists.get(voices);
  const texts: SearchText[] = known?.language === language ? known.texts : [];
  textsOfLists.set(voices, { language, texts });
  while (texts.length < voices.length && hasTime()) {
    for (const voice of voices.slice(texts.length, texts.length + 100)) texts.push(searchText(voice, messages));
  }
  return texts.length >= voices.length;
}

/** The voices of which every word of a query is somewhere in what a person can read of them. */
export function findVoices(voices: readonly Voice[], query: string, messages: Messages): readonly Voice[] {
  const wanted = foldText(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return voices;
  foldVoices(voices, messages);
  const texts = textsOfLists.get(voices)?.texts ?? [];
  return voices.filter((_, k) => {
    const { name = '', kind = '' } = texts[k] ?? {};
    return wanted.every((word) => name.includes(word) || kind.includes(word));
  });
}
