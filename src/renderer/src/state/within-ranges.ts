import type { ConnectionInfo, Range } from '../../../shared/wire/connection.ts';

const into = (value: number, { min, max }: Range): number => Math.min(max, Math.max(min, value));

/** Pitch and speed as this connection takes them: what was set for another one may lie outside, and its sliders show the nearest. */
export const withinRanges = <Settings extends { readonly pitch: number; readonly speed: number }>(
  settings: Settings,
  { pitch, speed }: Pick<ConnectionInfo, 'pitch' | 'speed'>,
): Settings => ({ ...settings, pitch: into(settings.pitch, pitch), speed: into(settings.speed, speed) });
