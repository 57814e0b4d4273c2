import { AppError } from '../../../shared/errors.ts';
import {
  maxLanguageLength,
  type Speaker,
  type SpeechJobSettings,
  type SpeechSettings,
  type VoiceSettings,
  voiceSettingsOf,
} from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { createPronouncer, type Pronunciation } from '../../../shared/text/pronounce.ts';
import { speakerKey, turnsOf } from '../../../shared/text/speakers.ts';
import { dividePassage, splitText } from '../../../shared/text/split-text.ts';
import { splitSubtitles, type TimedPassage } from '../../../shared/text/subtitles.ts';
import { textLength } from '../../../shared/text/text-parts.ts';

/** A passage with its call: `text` is what is sent, with the pronunciations put in. */
export interface SpokenPassage extends TimedPassage {
  readonly settings: VoiceSettings;
}

const namesOf = ({ speakers = [] }: SpeechSettings): readonly string[] => speakers.map(({ name }) => name);

/** Divides what is said at a time, of which only the first part begins at it. The text has tags between the words. */
function divideCue({ start, end, atSeconds, ...passage }: TimedPassage, most: number): readonly TimedPassage[] {
  const words = { ...passage, start: 0, end: passage.text.length };
  return dividePassage(words, passage.text, most).map((part, k) => ({
    ...{ ...part, start: Math.min(start + k, end), end },
    ...(k === 0 && atSeconds !== undefined && { atSeconds }),
  }));
}

/**
 * The passages that a text is spoken in, each by its voice. `maxLength` is in characters as sent, null for no limit. `onUsed` is
 * called for each pronunciation that applies.
 */
export function spokenPassages(
  text: string,
  settings: SpeechJobSettings,
  maxLength: number | null,
  onUsed?: (entry: Pronunciation) => void,
): readonly SpokenPassage[] {
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
    const call = callOf(passage.speaker);
    const sent = call.pronounce(passage.text, onUsed);
    const [given, length] = [textLength(passage.text), textLength(sent)];
    if (maxLength !== null && length > maxLength && given > 1) {
      const most = Math.max(1, Math.min(given - 1, Math.floor((given * maxLength) / length)));
      const parts = isSubtitles ? divideCue(passage, most) : dividePassage(passage, text, most);
      if (parts.length > 1) return parts.flatMap(fitted);
    }
    return [{ ...passage, text: sent, settings: call.settings }];
  }

  const isSubtitles = settings.textFormat === 'subtitles';
  const passages: readonly TimedPassage[] = isSubtitles
    ? splitSubtitles(text, { language, maxLength })
    : splitText(text, { language, maxLength, speakers: namesOf(settings) });
  return passages.flatMap(fitted);
}

/** The settings with those entries of the user's list that apply to the text. */
export function withPronunciations(
  text: string,
  settings: SpeechJobSettings,
  list: readonly Pronunciation[],
): SpeechJobSettings {
  if (list.length === 0) return settings;
  const used = new Set<Pronunciation>();
  spokenPassages(text, { ...settings, pronunciations: list }, null, (entry) => used.add(entry));
  const pronunciations = list.filter((entry) => used.has(entry));
  return pronunciations.length === 0 ? settings : { ...settings, pronunciations };
}

/**
 * The settings that a job of a text keeps: with the languages of the voices where none was chosen, and only the speakers and
 * pronunciations that occur in the text. Throws `voice/speaker-not-found` and, if only names are left,
 * `input/text-empty`; otherwise what `findVoice` throws.
 */
export async function jobSettings(
  text: string,
  settings: SpeechJobSettings,
  voice: Pick<Voice, 'language'>,
  findVoice: (id: string) => Promise<Voice>,
  list: readonly Pronunciation[] = [],
): Promise<SpeechJobSettings> {
  const { language, pauses, textFormat, title } = settings;
  const base = { ...voiceSettingsOf(settings), language: language || voice.language };
  // Subtitles have tags for speakers, which are not spoken.
  const turns = textFormat === 'subtitles' ? [] : turnsOf(text, namesOf(settings));
  const names = [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))];
  const hasOnlyNames = turns.length === 0 && textFormat === undefined && namesOf(settings).length > 0;
  if (hasOnlyNames && text.trim() !== '') throw new AppError('input/text-empty', 'only names');
  const speakers: Speaker[] = [];
  for (const name of names) {
    const speaker = settings.speakers?.find((one) => speakerKey(one.name) === speakerKey(name));
    if (!speaker) continue;
    const found = await speakerVoice(speaker, findVoice);
    const { voiceId, voiceName, speed, pitch } = speaker;
    const isTooLong = found.language.length > maxLanguageLength;
    const own = language || (isTooLong ? base.language : found.language);
    speakers.push({
      ...{ name, voiceId, voiceName },
      ...(own !== base.language && { language: own }),
      ...(speed !== undefined && { speed }),
      ...(pitch !== undefined && { pitch }),
    });
  }
  const job = {
    ...base,
    ...(speakers.length > 0 && { speakers }),
    ...(pauses && { pauses }),
    ...(textFormat && { textFormat }),
    ...(title !== undefined && { title }),
  };
  return withPronunciations(text, job, list);
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
