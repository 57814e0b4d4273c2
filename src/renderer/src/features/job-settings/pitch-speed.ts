import type { Messages } from '../../../../shared/messages/index.ts';
import type { ConnectionInfo, Range } from '../../../../shared/schemas/connection.ts';

/** Converts between a value and the position of a slider; both directions are inverse up to rounding. */
export interface SliderScale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly origin: number;
  toSlider(value: number): number;
  fromSlider(position: number): number;
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** The value itself, in steps of 0.01. */
export const plainScale = ({ min, max, default: origin }: Range): SliderScale => ({
  min,
  max,
  step: 0.01,
  origin,
  toSlider: (value) => value,
  fromSlider: (position) => round(position, 2),
});

const semitonesOf = (ratio: number): number => round(12 * Math.log2(ratio), 1);

/** Pitch in semitones, so that equal steps are equal intervals; values are rounded to a tenth. */
const semitoneScale = ({ min, max, default: origin }: Range): SliderScale => ({
  min: semitonesOf(min),
  max: semitonesOf(max),
  step: 0.5,
  origin: semitonesOf(origin),
  toSlider: semitonesOf,
  fromSlider: (position) => Math.min(max, Math.max(min, round(Math.pow(2, position / 12), 4))),
});

/** Logarithmic speed, so that half and double are equally far from the middle; values are rounded to 0.001. */
export const speedScale = ({ min, max, default: origin }: Range): SliderScale => ({
  min: Math.log2(min),
  max: Math.log2(max),
  step: 0.02,
  origin: Math.log2(origin),
  toSlider: Math.log2,
  fromSlider: (position) => Math.min(max, Math.max(min, round(Math.pow(2, position), 3))),
});

/** True if the pitch of a connection is a frequency ratio; other services define its meaning. */
export const isPitchRatio = ({ kind, pitch }: ConnectionInfo): boolean => kind === 'local' && pitch.min > 0;

export const pitchScale = (connection: ConnectionInfo): SliderScale =>
  isPitchRatio(connection) ? semitoneScale(connection.pitch) : plainScale(connection.pitch);

/** A change of pitch in semitones, with its sign. */
export const semitonesText = (semitones: number, { settings, format }: Messages): string =>
  settings.semitones({ n: Math.abs(semitones), amount: format.signed(semitones) });

/** Pitch and speed as text, as far as they differ from the defaults of the connection; else empty. */
export function pitchSpeedText(
  { pitch, speed }: { readonly pitch: number; readonly speed: number },
  connection: ConnectionInfo | undefined,
  messages: Messages,
): string {
  if (!connection) return '';
  const { settings: t, format } = messages;
  const tone = isPitchRatio(connection)
    ? semitonesText(pitchScale(connection).toSlider(pitch), messages)
    : t.pitchAs({ value: format.fixed(pitch, 2) });
  return format.facts(
    pitch === connection.pitch.default ? '' : tone,
    speed === connection.speed.default ? '' : t.speedAs({ value: format.fixed(speed, 2) }),
  );
}
