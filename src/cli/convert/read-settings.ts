import { defaultSettings } from '../../shared/schemas/settings.ts';
import {
  changerEngines,
  isOutputFormat,
  outputFormats,
  type ConversionSettings,
  type OutputFormat,
} from '../../shared/wire/settings.ts';
import { text, type Asked } from '../command.ts';
import { givenOf, oneOf, positiveNumber } from '../read-flags.ts';
import { usageError } from '../usage-error.ts';

/** How a recording is to be converted, as every command that asks for it takes it. */
export const conversionFlags = {
  voice: { type: 'string' },
  pitch: { type: 'string' },
  speed: { type: 'string' },
  'pitch-control': { type: 'string' },
  'auto-f0': { type: 'boolean' },
  engine: { type: 'string' },
  format: { type: 'string' },
} as const;

/** A format that a voice lists is taken as it is written; ours may be written without their dot. */
function readFormat({ flags, messages }: Asked): OutputFormat | undefined {
  const given = text(flags, 'format');
  if (given === undefined) return undefined;
  const format = given === 'same' || given.startsWith('.') ? given : `.${given}`;
  if (isOutputFormat(format)) return format;
  throw usageError(messages.cli.usage.oneOf('format', outputFormats.join(', '), given));
}

/** What of a conversion was given in flags. */
export function readChanges(asked: Asked): Partial<ConversionSettings> {
  const { flags } = asked;
  const autoF0 = flags['auto-f0'];
  return givenOf<ConversionSettings>({
    voiceId: text(flags, 'voice'),
    pitch: positiveNumber(asked, 'pitch'),
    speed: positiveNumber(asked, 'speed'),
    pitchControl: text(flags, 'pitch-control'),
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
