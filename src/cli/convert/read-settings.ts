import { defaultSettings } from '../../shared/schemas/settings.ts';
import type { ConnectionDocument } from '../../shared/wire/connection.ts';
import {
  changerEngines,
  localPitchControls,
  outputFormats,
  type ConversionSettings,
} from '../../shared/wire/settings.ts';
import { text, type Asked } from '../command.ts';
import { givenOf, mustBeInRange, oneOf, positiveNumber, shortText } from '../read-flags.ts';
import { usageError } from '../usage-error.ts';

/** A format is an ending, with or without its dot. */
function readFormat(asked: Asked): ConversionSettings['format'] | undefined {
  const given = text(asked.flags, 'format')?.toLowerCase();
  const dotted = outputFormats.find((format) => format === given || format === `.${given ?? ''}`);
  return dotted ?? oneOf(asked, 'format', outputFormats);
}

/** What of a conversion was given in flags. */
export function readChanges(asked: Asked): Partial<ConversionSettings> {
  const { flags } = asked;
  const autoF0 = flags['auto-f0'];
  return givenOf<ConversionSettings>({
    voiceId: shortText(asked, 'voice', 1024),
    pitch: positiveNumber(asked, 'pitch'),
    speed: positiveNumber(asked, 'speed'),
    pitchControl: shortText(asked, 'pitch-control', 256),
    autoF0: typeof autoF0 === 'boolean' ? autoF0 : undefined,
    engine: oneOf(asked, 'engine', changerEngines),
    format: readFormat(asked),
  });
}

/** What a conversion is asked for with, from flags and the defaults of a fresh start. */
export function readSettings(asked: Asked): ConversionSettings {
  const { voiceId, ...given } = readChanges(asked);
  if (voiceId === undefined) throw usageError(asked.messages.cli.usage.nameVoice);
  return { ...defaultSettings.conversion, voiceId, ...given };
}

/** Refuses what the connection, which people call `name`, does not take, before anything is sent. */
export function mustBeTaken(
  given: Partial<Pick<ConversionSettings, 'pitch' | 'speed' | 'pitchControl'>>,
  document: ConnectionDocument,
  isLocal: boolean,
  asked: Pick<Asked, 'messages'>,
  name: string,
): void {
  mustBeInRange(given, document, asked, name);
  const { pitchControl } = given;
  const known: readonly string[] = localPitchControls;
  if (isLocal && pitchControl !== undefined && !known.includes(pitchControl)) {
    const choices = known.filter((word) => word !== '').join(', ');
    throw usageError(asked.messages.cli.usage.oneOf('pitch-control', choices, pitchControl));
  }
}
