import {
  changerEngines,
  type ConversionSettings,
  defaultSettings,
  isOutputFormat,
  localPitchControls,
  type OutputFormat,
  outputFormats,
} from '../../shared/schemas/settings.ts';
import type { ConnectionDocument } from '../../shared/schemas/connection.ts';
import { text, type Asked } from '../command.ts';
import { givenOf, mustBeInRange, oneOf, positiveNumber, shortText } from '../read-flags.ts';
import { usageError } from '../usage-error.ts';

/** A format that a voice lists is taken as it is written; ours may be written without their dot. */
function readFormat({ flags, messages }: Asked): OutputFormat | undefined {
  const given = text(flags, 'format');
  if (given === undefined) return undefined;
  const written = given.toLowerCase() === 'same' ? 'same' : given.startsWith('.') ? given : `.${given}`;
  const format = outputFormats.find((one) => one === written.toLowerCase()) ?? written;
  if (isOutputFormat(format)) return format;
  throw usageError(messages.cli.usage.oneOf('format', outputFormats.join(', '), given));
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
  given: Partial<Pick<ConversionSettings, 'pitch' | 'speed' | 'pitchControl' | 'format'>>,
  document: ConnectionDocument,
  isLocal: boolean,
  asked: Pick<Asked, 'messages'>,
  name: string,
): void {
  mustBeInRange(given, document, asked, name);
  const { pitchControl, format } = given;
  if (isLocal && format !== undefined && !(outputFormats as readonly string[]).includes(format)) {
    throw usageError(asked.messages.cli.usage.oneOf('format', outputFormats.join(', '), format));
  }
  const known: readonly string[] = localPitchControls;
  if (isLocal && pitchControl !== undefined && !known.includes(pitchControl)) {
    const choices = known.filter((word) => word !== '').join(', ');
    throw usageError(asked.messages.cli.usage.oneOf('pitch-control', choices, pitchControl));
  }
}
