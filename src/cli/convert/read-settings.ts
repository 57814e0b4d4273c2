import { defaultSettings } from '../../shared/schemas/settings.ts';
import { changerEngines, outputFormats, type ConversionSettings } from '../../shared/wire/settings.ts';
import { text, type Asked } from '../command.ts';
import { oneOf, positiveNumber } from '../read-flags.ts';
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

/** What a conversion is asked for with, from flags and the defaults of a fresh start. */
export function readSettings(asked: Asked): ConversionSettings {
  const { flags, messages } = asked;
  const { conversion } = defaultSettings;
  const voiceId = text(flags, 'voice');
  if (voiceId === undefined) throw usageError(messages.cli.usage.nameVoice);
  return {
    voiceId,
    pitch: positiveNumber(asked, 'pitch') ?? conversion.pitch,
    speed: positiveNumber(asked, 'speed') ?? conversion.speed,
    pitchControl: text(flags, 'pitch-control') ?? conversion.pitchControl,
    autoF0: flags['auto-f0'] !== false,
    engine: oneOf(asked, 'engine', changerEngines) ?? conversion.engine,
    format: oneOf(asked, 'format', outputFormats) ?? conversion.format,
  };
}
