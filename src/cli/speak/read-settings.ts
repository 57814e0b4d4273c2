import type { ConnectionDocument } from '../../shared/wire/connection.ts';
import { speechEngines, speechPlatforms, type SpeechSettings } from '../../shared/wire/speech.ts';
import type { Voice } from '../../shared/wire/voice.ts';
import { text, type Asked } from '../command.ts';
import { givenOf, oneOf, positiveNumber } from '../read-flags.ts';
import { usageError } from '../usage-error.ts';

/** How a text is to be spoken, as every command that asks for it takes it. */
export const speechFlags = {
  voice: { type: 'string' },
  language: { type: 'string' },
  speed: { type: 'string' },
  pitch: { type: 'string' },
  engine: { type: 'string' },
  platform: { type: 'string' },
} as const;

/** What of a piece of speech was given in flags, for which no service is needed. */
export function readSpeechChanges(asked: Asked): Partial<SpeechSettings> {
  const { flags } = asked;
  return givenOf<SpeechSettings>({
    voiceId: text(flags, 'voice'),
    language: text(flags, 'language'),
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

/** Speech is asked for only as the connection, which people call `name`, says that it can be. */
export function mustBeInRange(
  given: Partial<Pick<SpeechSettings, 'speed' | 'pitch'>>,
  { ranges }: ConnectionDocument,
  { messages: { cli } }: Pick<Asked, 'messages'>,
  name: string,
): void {
  for (const flag of ['speed', 'pitch'] as const) {
    const { min, max } = ranges[flag];
    const value = given[flag] ?? min;
    if (value < min || value > max) throw usageError(cli.usage.inRange(flag, min, max, name));
  }
}

/** What is left out is the voice's language, and the connection's usual speed and pitch. */
export function speechSettings(given: SpeechGiven, voice: Voice, { ranges }: ConnectionDocument): SpeechSettings {
  // In the order in which they are stored: a later command finds its job by them.
  return {
    voiceId: given.voiceId,
    language: given.language ?? voice.language,
    speed: given.speed ?? ranges.speed.default,
    pitch: given.pitch ?? ranges.pitch.default,
    engine: given.engine ?? 'v7',
    platform: given.platform ?? 'web',
  };
}
