import { PitchDetector } from 'pitchy';
import { median } from '../median.mts';
import type { Sound } from './sound-file.mts';

const windowSeconds = 0.046;
const hopSeconds = 0.01;
const quietestDecibels = -45;
const range = { lowest: 50, highest: 800 };

export interface F0Place {
  /** NaN where nothing is voiced. */
  readonly hz: number;
  /** 0 to 1; 1 is a sound without noise. */
  readonly clarity: number;
  /** Amplitude to the power of 0.6 (Stevens 1957). */
  readonly loudness: number;
}

/**
 * F0 every 10 ms: the McLeod method at the sound's own rate. (The engine's own measure looks at a decimated sound and gives one
 * number.) `leastClarity` is 0.9 for exact places, less for as many as can be had.
 */
export function trackF0({ samples, sampleRate }: Sound, leastClarity: number): readonly F0Place[] {
  const windowFrames = Math.round(windowSeconds * sampleRate);
  const detector = PitchDetector.forFloat32Array(windowFrames);
  detector.minVolumeDecibels = quietestDecibels;
  const places = Math.max(0, Math.floor((samples.length / sampleRate - windowSeconds) / hopSeconds));
  return Array.from({ length: places }, (_, place) => {
    const start = Math.round(place * hopSeconds * sampleRate);
    const window = samples.subarray(start, start + windowFrames);
    const [hz, clarity] = detector.findPitch(window, sampleRate);
    const isVoiced = clarity > leastClarity && hz > range.lowest && hz < range.highest;
    const loudness = window.reduce((sum, sample) => sum + sample * sample, 0) ** 0.3;
    return { hz: isVoiced ? hz : NaN, clarity, loudness };
  });
}

/** The F0 in Hz that half of what is heard of a voice lies below. */
export function heardF0(sound: Sound): number {
  const voiced = trackF0(sound, 0.7).filter(({ hz }) => !Number.isNaN(hz));
  const sorted = voiced.toSorted((a, b) => a.hz - b.hz);
  let rest = sorted.reduce((sum, { loudness }) => sum + loudness, 0) / 2;
  return sorted.find(({ loudness }) => (rest -= loudness) <= 0)?.hz ?? NaN;
}

/** Places by which a baseline may be late or early; our own output is at its place, and so 0 is tried first. */
const lags = [0, ...Array.from({ length: 10 }, (_, at) => [at + 1, -at - 1]).flat()];

/** Median over time of how far F0 is from where it was to go, in cents: `after` against `before` moved by `semitones`. */
export function pitchErrorCents(before: readonly F0Place[], after: readonly F0Place[], semitones: number): number {
  const errors = lags.map((lag) =>
    before
      .map(({ hz }, at) => Math.abs(1200 * Math.log2((after[at + lag]?.hz ?? NaN) / hz) - 100 * semitones))
      .filter((cents) => !Number.isNaN(cents)),
  );
  return Math.min(...errors.filter((cents) => cents.length > 0).map(median));
}
