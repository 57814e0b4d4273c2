import type { ConnectionDocument } from '../../shared/wire/connection.ts';
import { speechEngines, speechPlatforms, type SpeechSettings } from '../../shared/wire/speech.ts';
import type { Voice } from '../../shared/wire/voice.ts';
import { text, type Asked } from '../command.ts';
import { oneOf, positiveNumber } from '../read-flags.ts';
import type { Session } from '../session.ts';
import { usageError } from '../usage-error.ts';

/** Flags that need no service to be read. */
export interface SpeechFlags {
  readonly voiceId: string;
  readonly language: string | undefined;
  readonly speed: number | undefined;
  readonly pitch: number | undefined;
  readonly engine: SpeechSettings['engine'];
  readonly platform: SpeechSettings['platform'];
}

export function readSpeechFlags(asked: Asked): SpeechFlags {
  const { flags, messages } = asked;
  const voiceId = text(flags, 'voice');
  if (voiceId === undefined) throw usageError(messages.cli.usage.nameVoice);
  return {
    voiceId,
    language: text(flags, 'language'),
    speed: positiveNumber(asked, 'speed'),
    pitch: positiveNumber(asked, 'pitch'),
    engine: oneOf(asked, 'engine', speechEngines) ?? 'v7',
    platform: oneOf(asked, 'platform', speechPlatforms) ?? 'web',
  };
}

/** What is left out is the voice's language, and the connection's usual speed and pitch. */
export function speechSettings(
  { voiceId, language, engine, platform, ...given }: SpeechFlags,
  voice: Voice,
  { ranges }: ConnectionDocument,
  { messages: { cli } }: Asked,
  { name }: Session,
): SpeechSettings {
  const inRange = (flag: 'speed' | 'pitch'): number => {
    const { min, max, default: usual } = ranges[flag];
    const value = given[flag] ?? usual;
    if (value < min || value > max) throw usageError(cli.usage.inRange(flag, min, max, name));
    return value;
  };
  // In the order in which they are stored: a later command finds its job by them.
  return {
    voiceId,
    language: language ?? voice.language,
    speed: inRange('speed'),
    pitch: inRange('pitch'),
    engine,
    platform,
  };
}
