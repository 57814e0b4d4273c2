import type { ConnectionInfo, Range } from './wire/connection.ts';
import { localPitchControls, outputFormats, type LocalPitchControl, type OutputFormat } from './wire/settings.ts';

interface Sound {
  readonly pitch: number;
  readonly speed: number;
  /** Of conversions only. */
  readonly pitchControl?: string;
  readonly format?: OutputFormat;
}

const into = (value: number, { min, max }: Range): number => Math.min(max, Math.max(min, value));
const isLocalControl = (value: string): value is LocalPitchControl =>
  (localPitchControls as readonly string[]).includes(value);

/**
 * Settings as this connection takes them. What was set for another one may lie outside its ranges, where the nearest is taken, or be a
 * word or a format that the engine of this computer does not know and refuses.
 */
export function fitSettings<Settings extends Sound>(
  settings: Settings,
  { kind, pitch, speed }: Pick<ConnectionInfo, 'kind' | 'pitch' | 'speed'>,
): Settings {
  const fitted = { ...settings, pitch: into(settings.pitch, pitch), speed: into(settings.speed, speed) };
  const { pitchControl } = settings;
  const isForeign = kind === 'local' && pitchControl !== undefined && !isLocalControl(pitchControl);
  const { format } = settings;
  const isUnwritten =
    kind === 'local' && format !== undefined && !(outputFormats as readonly string[]).includes(format);
  return { ...fitted, ...(isForeign && { pitchControl: '' }), ...(isUnwritten && { format: 'same' }) };
}
