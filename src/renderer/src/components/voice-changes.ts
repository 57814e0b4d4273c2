import type { Messages } from '../../../shared/messages/index.ts';
import type { ConnectionInfo } from '../../../shared/wire/connection.ts';
import { isPitchRatio, pitchScale } from './slider-scale.ts';

/** Pitch and speed in words, as far as they differ from the connection's usual ones; empty where nothing does. */
export function voiceChanges(
  { pitch, speed }: { readonly pitch: number; readonly speed: number },
  connection: ConnectionInfo | undefined,
  { settings: t, format }: Messages,
): string {
  if (!connection) return '';
  const tone = isPitchRatio(connection)
    ? t.semitones(pitchScale(connection).toSlider(pitch))
    : t.pitchAs(format.fixed(pitch, 2));
  return [
    pitch === connection.pitch.default ? '' : tone,
    speed === connection.speed.default ? '' : t.speedAs(format.fixed(speed, 2)),
  ]
    .filter((part) => part !== '')
    .join(', ');
}
