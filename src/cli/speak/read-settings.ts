import type { ConnectionDocument } from '../../shared/schemas/connection.ts';
import { speechEngines, speechPlatforms, type SpeechSettings } from '../../shared/schemas/speech.ts';
import type { Voice } from '../../shared/schemas/voice.ts';
import type { Asked } from '../command.ts';
import { givenOf, oneOf, positiveNumber, shortText } from '../read-flags.ts';
import { usageError } from '../usage-error.ts';

/** The longest tag that is stored with a job. */
const languageLength = 64;

/** What of a piece of speech was given in flags, for which no service is needed. */
export function readSpeechChanges(asked: Asked): Partial<SpeechSettings> {
  return givenOf<SpeechSettings>({
    voiceId: shortText(asked, 'voice', 1024),
    language: shortText(asked, 'language', languageLength),
    speed: positiveNumber(asked, 'speed'),
    pitch: positiveNumber(asked, 'pitch'),
    engine: oneOf(asked, 'engine', speechEngines),
    platform: oneOf(asked, 'platform', speechPlatforms),
  });
}

export type SpeechGiven = Partial<SpeechSettings> & Pick<SpeechSettings, 'voiceId'>;

export function readSpeechFlags(asked: Asked): SpeechGiven {
  const { voiceId, ...given } = readSpeechChanges(asked);
  if (voiceId === undefined) throw usageError(asked.messages.cli.usage.nameVoice);
  return { ...given, voiceId };
}

/** What is left out is the voice's language, and the connection's usual speed and pitch. */
export function speechSettings(
  given: SpeechGiven,
  voice: Voice,
  { ranges }: ConnectionDocument,
  { messages: { cli } }: Pick<Asked, 'messages'>,
): SpeechSettings {
  const language = given.language ?? voice.language;
  if (language.length > languageLength) throw usageError(cli.usage.nameLanguage);
  // In the order in which they are stored: a later command finds its job by them.
  return {
    voiceId: given.voiceId,
    language,
    speed: given.speed ?? ranges.speed.default,
    pitch: given.pitch ?? ranges.pitch.default,
    engine: given.engine ?? 'v7',
    platform: given.platform ?? 'web',
  };
}
