import { AppError } from '../../../shared/errors.ts';
import { runAtOnce, type Sliced } from '../../../shared/time-slicing.ts';
import {
  maxLanguageLength,
  type Speaker,
  type SpeechJobSettings,
  type SpeechSettings,
  type VoiceSettings,
  voiceSettingsOf,
} from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { createPronouncer, isBetweenWords, type Pronunciation } from '../../../shared/text/pronounce.ts';
import { labelledSpeakersSliced, turnsOf } from '../../../shared/text/speakers.ts';
import { dividePassage, isSpoken, splitTextSliced } from '../../../shared/text/split-text.ts';
import {
  countSubtitles,
  readSubtitles,
  splitSubtitlesSliced,
  type TimedPassage,
} from '../../../shared/text/subtitles.ts';
import { speechTitle, textLength } from '../../../shared/text/text-parts.ts';
import { runInSlices } from '../clock.ts';
import { subtitlesProblem } from './text-file.ts';

/** A passage with its call: `text` is what is sent, with the pronunciations put in. */
export interface SpokenPassage extends TimedPassage {
  readonly settings: VoiceSettings;
}

const namesOf = ({ speakers = [] }: SpeechSettings): readonly string[] => speakers.map(({ name }) => name);

type Pronounce = (text: string) => string;

const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');

/** Places between two words of a passage, the best ones to divide it at first. */
function placesIn({ start, end }: TimedPassage, source: string): readonly number[] {
  const places: number[] = [];
  for (let at = start + 1; at < end; at += 1)
    if (source[at]?.trim() !== '' && isBetweenWords(source, at)) places.push(at);
  const middle = (start + end) / 2;
  const isAfterBlank = (at: number): boolean => source[at - 1]?.trim() === '';
  return places.sort(
    (a, b) => Number(isAfterBlank(b)) - Number(isAfterBlank(a)) || Math.abs(a - middle) - Math.abs(b - middle),
  );
}

/** Divides a passage of `source` between words, so that all is said as before. Empty if that cannot be. */
function divide(
  passage: TimedPassage,
  source: string,
  maxLength: number,
  pronounce: Pronounce,
): readonly TimedPassage[] {
  const said = withoutBlanks(pronounce(passage.text));
  const isGood = (parts: readonly TimedPassage[]): boolean =>
    parts.length > 1 &&
    parts.slice(1).every(({ start }) => isBetweenWords(source, start)) &&
    withoutBlanks(parts.map(({ text }) => pronounce(text)).join('')) === said;
  const parts = dividePassage(passage, source, maxLength);
  if (isGood(parts)) return parts;
  for (const at of placesIn(passage, source)) {
    const halves = [
      ...dividePassage({ ...passage, end: at, ends: 'nothing' }, source, Infinity),
      ...dividePassage({ ...passage, start: at }, source, Infinity),
    ];
    if (isGood(halves)) return halves;
  }
  return [];
}

/** Divides what is said at a time, of which only the first part begins at it. The text has tags between the words. */
function divideCue(
  { start, end, atSeconds, ...passage }: TimedPassage,
  maxLength: number,
  pronounce: Pronounce,
): readonly TimedPassage[] {
  const words = { ...passage, start: 0, end: passage.text.length };
  return divide(words, passage.text, maxLength, pronounce).map((part, k) => ({
    ...{ ...part, start: Math.min(start + k, end), end },
    ...(k === 0 && atSeconds !== undefined && { atSeconds }),
  }));
}

const strength = { nothing: 0, sentence: 1, paragraph: 2 } as const;

/** Leaves out passages of which nothing is heard. What they end or begin, those beside them do. */
function* heard(passages: readonly SpokenPassage[]): Sliced<readonly SpokenPassage[]> {
  const kept: SpokenPassage[] = [];
  let atSeconds: number | undefined;
  for (const passage of passages) {
    yield;
    const last = kept.at(-1);
    if (isSpoken(passage.text)) {
      kept.push(atSeconds === undefined ? passage : { atSeconds, ...passage });
      atSeconds = undefined;
      continue;
    }
    atSeconds = passage.atSeconds ?? atSeconds;
    if (last && strength[passage.ends] > strength[last.ends]) kept[kept.length - 1] = { ...last, ends: passage.ends };
  }
  return kept;
}

/**
 * The passages that a text is spoken in, each by its voice; none if nothing of it is heard. `maxLength` is in characters as sent,
 * null for no limit. `onUsed` is called for each pronunciation that applies. Throws `pronunciation/too-long` for one that no call
 * can hold.
 */
export function* spokenPassagesSliced(
  text: string,
  settings: SpeechJobSettings,
  maxLength: number | null,
  onUsed?: (entry: Pronunciation) => void,
): Sliced<readonly SpokenPassage[]> {
  const { language, pronunciations = [] } = settings;
  const calls = new Map<string | undefined, Pick<SpokenPassage, 'settings'> & ReturnType<typeof createPronouncer>>();

  function callOf(speaker: string | undefined) {
    const own = voiceSettingsOf(settings, speaker);
    const call = calls.get(speaker) ?? { settings: own, ...createPronouncer(pronunciations, own.language) };
    calls.set(speaker, call);
    return call;
  }

  /** Only what is put in can make a passage too long. */
  function fitted(passage: TimedPassage): readonly SpokenPassage[] {
    const { settings: own, pronounce } = callOf(passage.speaker);
    const used: Pronunciation[] = [];
    const sent = pronounce(passage.text, (entry) => used.push(entry));
    used.forEach((entry) => onUsed?.(entry));
    const [given, length] = [textLength(passage.text), textLength(sent)];
    if (maxLength === null || length <= maxLength) return [{ ...passage, text: sent, settings: own }];
    const most = Math.max(1, Math.min(given - 1, Math.floor((given * maxLength) / length)));
    const parts = isSubtitles ? divideCue(passage, most, pronounce) : divide(passage, text, most, pronounce);
    if (parts.length > 0) return parts.flatMap(fitted);
    const [longest] = used.toSorted((a, b) => b.spoken.length - a.spoken.length);
    const facts = { word: longest?.word ?? passage.text, limit: maxLength };
    throw new AppError('pronunciation/too-long', `${length} characters of ${maxLength}`, { facts });
  }

  const isSubtitles = settings.textFormat === 'subtitles';
  const isParagraph = settings.textFormat === 'paragraph';
  const options = { language, maxLength, keepsSigns: pronunciations.length > 0 };
  const passages: readonly TimedPassage[] = isSubtitles
    ? yield* splitSubtitlesSliced(text, options)
    : yield* splitTextSliced(text, { ...options, isParagraph, speakers: namesOf(settings) });
  const all: SpokenPassage[] = [];
  for (const passage of passages) {
    yield;
    all.push(...fitted(passage));
  }
  return yield* heard(all);
}

/** Like `spokenPassagesSliced`, at once: for texts that are short. */
export const spokenPassages = (...given: Parameters<typeof spokenPassagesSliced>): readonly SpokenPassage[] =>
  runAtOnce(spokenPassagesSliced(...given));

/**
 * The settings for a text that the user wrote: subtitles among them are spoken at their times and named by their first words.
 * Throws `input/subtitle-times` for one that cannot be read.
 */
export function withTextFormat(text: string, settings: SpeechSettings): SpeechJobSettings {
  if (countSubtitles(text) === null) return settings;
  const problem = subtitlesProblem(text);
  if (problem?.code === 'input/subtitle-times') throw new AppError(problem.code, 'subtitles', { facts: problem.facts });
  const words = readSubtitles(text).cues.map((cue) => cue.words);
  return { ...settings, textFormat: 'subtitles', title: speechTitle(words.join(' ')).replace(/…$/, '') };
}

/** Rejects unless a text with the settings of its job can be spoken: `input/text-empty` or `pronunciation/too-long`. */
export async function assertSpoken(text: string, settings: SpeechJobSettings, maxLength: number | null): Promise<void> {
  const isPlain = settings.pronunciations === undefined && settings.textFormat !== 'subtitles';
  // Dividing a book takes a second, and nothing but pronunciations can make a passage too long.
  const isHeard = isPlain
    ? turnsOf(text, namesOf(settings)).some(({ start, end }) => isSpoken(text.slice(start, end)))
    : (await runInSlices(spokenPassagesSliced(text, settings, maxLength))).length > 0;
  if (!isHeard) throw new AppError('input/text-empty', 'nothing to say');
}

/** The settings with those entries of the user's list that apply to the text. */
function* pronouncedSettings(
  text: string,
  settings: SpeechJobSettings,
  list: readonly Pronunciation[],
): Sliced<SpeechJobSettings> {
  if (list.length === 0) return settings;
  const used = new Set<Pronunciation>();
  yield* spokenPassagesSliced(text, { ...settings, pronunciations: list }, null, (entry) => used.add(entry));
  const pronunciations = list.filter((entry) => used.has(entry));
  return pronunciations.length === 0 ? settings : { ...settings, pronunciations };
}

/**
 * The speakers whose names begin lines of a text, in that order, also those without words: otherwise their names would be spoken.
 * Subtitles have tags for speakers, which are not spoken.
 */
function* speakersOf(text: string, settings: SpeechJobSettings): Sliced<readonly Speaker[]> {
  const { speakers = [], textFormat } = settings;
  if (textFormat === 'subtitles') return [];
  const names = yield* labelledSpeakersSliced(text, namesOf(settings));
  return names.flatMap((name) => speakers.find((one) => one.name === name) ?? []);
}

/** Finds the voices of speakers; null if the speakers have the languages of their voices already, unless these have none. */
type FindSpeakerVoice = ((id: string) => Promise<Voice>) | null;

/**
 * The settings that a job of a text keeps: with the languages of the voices where none was chosen, and only the speakers and
 * pronunciations that occur in the text. Throws `voice/speaker-not-found`, and what `findVoice` throws.
 */
export async function jobSettings(
  text: string,
  settings: SpeechJobSettings,
  voice: Pick<Voice, 'language'>,
  findVoice: FindSpeakerVoice,
  list: readonly Pronunciation[] = [],
): Promise<SpeechJobSettings> {
  const { language, pauses, textFormat, title } = settings;
  const base = { ...voiceSettingsOf(settings), language: language || voice.language };
  const known = await runInSlices(speakersOf(text, settings));
  const speakers = await withLanguages(known, { language, usual: base.language }, findVoice);
  const job = {
    ...base,
    ...(speakers.length > 0 && { speakers }),
    ...(pauses && { pauses }),
    ...(textFormat && { textFormat }),
    ...(title !== undefined && { title }),
  };
  return runInSlices(pronouncedSettings(text, job, list));
}

/**
 * Gives speakers the languages of their voices if none was chosen, where they differ from the usual one. Throws
 * `voice/speaker-not-found`, and what `findVoice` throws.
 */
export async function withLanguages(
  speakers: readonly Speaker[],
  { language, usual }: { readonly language: string; readonly usual: string },
  findVoice: FindSpeakerVoice,
): Promise<readonly Speaker[]> {
  const all: Speaker[] = [];
  for (const speaker of speakers) {
    const { name, voiceId, voiceName, speed, pitch } = speaker;
    const known = findVoice ? (await speakerVoice(speaker, findVoice)).language : (speaker.language ?? usual);
    const isTooLong = known.length > maxLanguageLength;
    const own = language || (isTooLong ? usual : known);
    all.push({
      ...{ name, voiceId, voiceName },
      ...(own !== usual && { language: own }),
      ...(speed !== undefined && { speed }),
      ...(pitch !== undefined && { pitch }),
    });
  }
  return all;
}

/** Throws `voice/speaker-not-found` if the voice is not offered any more. */
export async function speakerVoice(speaker: Speaker, findVoice: (id: string) => Promise<Voice>): Promise<Voice> {
  try {
    return await findVoice(speaker.voiceId);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'voice/not-found') throw error;
    const facts = { name: speaker.name, voice: speaker.voiceName || speaker.voiceId };
    throw new AppError('voice/speaker-not-found', error.message, { cause: error, facts });
  }
}
