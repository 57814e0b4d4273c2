import type { Messages } from '../../../../shared/messages/index.ts';
import type { ConnectionInfo, Range } from '../../../../shared/schemas/connection.ts';

/** The way a slider shows a value: `toSlider` and `fromSlider` undo each other up to rounding. */
export interface SliderScale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly origin: number;
  toSlider(value: number): number;
  fromSlider(position: number): number;
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** The value itself, in hundredths of a ratio. */
export const plainScale = ({ min, max, default: origin }: Range): SliderScale => ({
  min,
  max,
  step: 0.01,
  origin,
  toSlider: (value) => value,
  fromSlider: (position) => round(position, 2),
});

const semitonesOf = (ratio: number): number => round(12 * Math.log2(ratio), 1);

/** Pitch as a person hears it: equal steps for equal intervals, a tenth of a semitone fine. */
const semitoneScale = ({ min, max, default: origin }: Range): SliderScale => ({
  min: semitonesOf(min),
  max: semitonesOf(max),
  step: 0.5,
  origin: semitonesOf(origin),
  toSlider: semitonesOf,
  fromSlider: (position) => Math.min(max, Math.max(min, round(Math.pow(2, position / 12), 4))),
});

/** Speed, where half and double are equally far from the middle; about a hundredth a step, kept in thousandths. */
export const speedScale = ({ min, max, default: origin }: Range): SliderScale => ({
  min: Math.log2(min),
  max: Math.log2(max),
  step: 0.02,
  origin: Math.log2(origin),
  toSlider: Math.log2,
  fromSlider: (position) => Math.min(max, Math.max(min, round(Math.pow(2, position), 3))),
});

/** Whether a pitch of this connection is a ratio of frequencies; elsewhere its meaning is the service's own. */
export const isPitchRatio = ({ kind, pitch }: ConnectionInfo): boolean => kind === 'local' && pitch.min > 0;

export const pitchScale = (connection: ConnectionInfo): SliderScale =>
  isPitchRatio(connection) ? semitoneScale(connection.pitch) : plainScale(connection.pitch);

/** Pitch and speed in words, as far as they differ from the connection's usual ones; empty where nothing does. */
export function pitchSpeedText(
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
