import { AppError } from '../../../shared/errors.ts';
import {
  maxLanguageLength,
  type Speaker,
  type SpeechSettings,
  type VoiceSettings,
  voiceSettingsOf,
} from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { speakerKey, turnsOf } from '../../../shared/text/speakers.ts';
import { type Passage, splitText } from '../../../shared/text/split-text.ts';

/** A passage with the settings of its call. */
export interface SpokenPassage extends Passage {
  readonly settings: VoiceSettings;
}

const namesOf = ({ speakers = [] }: SpeechSettings): readonly string[] => speakers.map(({ name }) => name);

/** The passages that a text is spoken in, each by its voice. `maxLength` is in characters, null for no limit. */
export function spokenPassages(
  text: string,
  settings: SpeechSettings,
  maxLength: number | null,
): readonly SpokenPassage[] {
  const passages = splitText(text, { language: settings.language, maxLength, speakers: namesOf(settings) });
  const known = new Map<string | undefined, VoiceSettings>();
  return passages.map((passage) => {
    const own = known.get(passage.speaker) ?? voiceSettingsOf(settings, passage.speaker);
    known.set(passage.speaker, own);
    return { ...passage, settings: own };
  });
}

/**
 * The settings that a job of a text keeps: with the languages of the voices where none was chosen, and only the speakers that
 * occur in the text, in order. Equal requests have equal JSON. Throws `voice/speaker-not-found` and, if only names are left,
 * `input/text-empty`; otherwise what `findVoice` throws.
 */
export async function jobSettings(
  text: string,
  settings: SpeechSettings,
  voice: Pick<Voice, 'language'>,
  findVoice: (id: string) => Promise<Voice>,
): Promise<SpeechSettings> {
  const { language } = settings;
  const base = { ...voiceSettingsOf(settings), language: language || voice.language };
  const turns = turnsOf(text, namesOf(settings));
  const names = [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))];
  if (names.length === 0 && namesOf(settings).length > 0 && turns.length === 0 && text.trim() !== '')
    throw new AppError('input/text-empty', 'only names');
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
  return { ...base, ...(speakers.length > 0 && { speakers }) };
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
