import { defaultSettings } from '../../shared/schemas/settings.ts';
import { changerEngines, outputFormats, type ConversionSettings } from '../../shared/wire/settings.ts';
import { text, type Flags } from '../command.ts';
import { oneOf, positiveNumber } from '../read-flags.ts';
import { usageError } from '../usage-error.ts';

/** What a conversion is asked for with, from flags and the defaults of a fresh start. */
export function readSettings(flags: Flags): ConversionSettings {
  const { conversion } = defaultSettings;
  const voiceId = text(flags, 'voice');
  if (voiceId === undefined) throw usageError('Name a voice with --voice ID. "timbre voices list" shows them all.');
  return {
    voiceId,
    pitch: positiveNumber(flags, 'pitch') ?? conversion.pitch,
    speed: positiveNumber(flags, 'speed') ?? conversion.speed,
    pitchControl: text(flags, 'pitch-control') ?? conversion.pitchControl,
    autoF0: flags['auto-f0'] !== false,
    engine: oneOf(flags, 'engine', changerEngines) ?? conversion.engine,
    format: oneOf(flags, 'format', outputFormats) ?? conversion.format,
  };
}
