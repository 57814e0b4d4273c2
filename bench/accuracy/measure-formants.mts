import { autocorrelation, linearPrediction, rootsOf } from '../../src/sound/linear-prediction.ts';
import { createResampler } from '../../src/sound/resample-sound.ts';
import type { Sound } from './sound-file.mts';

const analysisRateHz = 10_000;
const order = 10;
const windowFrames = 400;
const hopFrames = 100;
const preEmphasis = 0.9;
const quietestShare = 0.01;

interface Window {
  /** Frame at 10 kHz. */
  readonly start: number;
  /** Of a loudness that counts, 1 at lag 0; the mean over windows is then the voice's, not that of its loudest places. */
  readonly correlation: Float64Array;
}

/** The louder windows of 40 ms every 10 ms, at 10 kHz and pre-emphasised. */
function windowsOf({ samples, sampleRate }: Sound): readonly Window[] {
  const resampler = createResampler(1, sampleRate, analysisRateHz);
  const signal = [resampler.push([samples]), resampler.end()].flatMap(([part]) => Array.from(part ?? []));
  const windows: Window[] = [];
  for (let start = 1; start + windowFrames < signal.length; start += hopFrames) {
    const window = Float64Array.from({ length: windowFrames }, (_, at) => {
      const emphasised = (signal[start + at] ?? 0) - preEmphasis * (signal[start + at - 1] ?? 0);
      return emphasised * (0.5 - 0.5 * Math.cos((2 * Math.PI * at) / windowFrames));
    });
    windows.push({ start, correlation: autocorrelation(window, order) });
  }
  const energyOf = ({ correlation: [energy = 0] }: Window) => energy;
  const loudest = Math.max(0, ...windows.map(energyOf));
  return windows
    .filter((window) => energyOf(window) > quietestShare * loudest)
    .map((window) => ({ ...window, correlation: window.correlation.map((value) => value / energyOf(window)) }));
}

/**
 * Resonances in Hz of a sound that holds one vowel: linear prediction from the mean autocorrelation. The mean is what makes it
 * valid for high voices: F0 glides, so that the mean spectrum shows the envelope and not the harmonics.
 */
export function resonancesOf(sound: Sound): readonly number[] {
  const mean = new Float64Array(order + 1);
  for (const { correlation } of windowsOf(sound))
    correlation.forEach((value, lag) => (mean[lag] = (mean[lag] ?? 0) + value));
  const filter = linearPrediction(mean);
  if (!filter) return [];
  return rootsOf(filter)
    .filter(({ im }) => im > 0)
    .map(({ re, im }) => (Math.atan2(im, re) * analysisRateHz) / (2 * Math.PI));
}

/** The interval between `wantedHz` and the resonance next to it, in semitones. */
export function formantOffset(resonances: readonly number[], wantedHz: number): number {
  const offsets = resonances.map((hz) => 12 * Math.log2(hz / wantedHz));
  return offsets.reduce((best, offset) => (Math.abs(offset) < Math.abs(best) ? offset : best), Infinity);
}

const grid = { lowestHz: 300, highestHz: 4500, stepSemitones: 0.1 };
const gridPlaces = Math.floor((12 * Math.log2(grid.highestHz / grid.lowestHz)) / grid.stepSemitones);
const furthestSteps = 80;

/** Level of the all-pole envelope in dB over the logarithm of frequency, its mean taken away. */
function envelopeOf(filter: Float64Array): Float64Array {
  const levels = Float64Array.from({ length: gridPlaces }, (_, place) => {
    const angle = (2 * Math.PI * grid.lowestHz * 2 ** ((place * grid.stepSemitones) / 12)) / analysisRateHz;
    let [re, im] = [0, 0];
    filter.forEach((value, at) => {
      re += value * Math.cos(at * angle);
      im -= value * Math.sin(at * angle);
    });
    return -10 * Math.log10(re * re + im * im);
  });
  const mean = levels.reduce((sum, level) => sum + level, 0) / gridPlaces;
  return levels.map((level) => level - mean);
}

/**
 * How many semitones the spectral envelope of `after` is above that of `before`, for the same words at the same times: the shift with
 * the highest correlation over log frequency and all windows. For recordings, whose formants are unknown.
 */
export function envelopeShift(before: Sound, after: Sound): number {
  const others = new Map(windowsOf(after).map(({ start, correlation }) => [start, correlation]));
  const pairs = windowsOf(before).flatMap(({ start, correlation }) => {
    const other = others.get(start);
    const [one, two] = [linearPrediction(correlation), other && linearPrediction(other)];
    return one && two ? [[envelopeOf(one), envelopeOf(two)] as const] : [];
  });
  const likeness = (steps: number) =>
    pairs.reduce((total, [one, two]) => {
      let [product, oneSquare, twoSquare] = [0, 0, 0];
      for (let place = Math.max(0, -steps); place < gridPlaces - Math.max(0, steps); place++) {
        const [a, b] = [one[place] ?? 0, two[place + steps] ?? 0];
        product += a * b;
        oneSquare += a * a;
        twoSquare += b * b;
      }
      return total + product / Math.sqrt(oneSquare * twoSquare);
    }, 0);
  let best = -furthestSteps;
  let highest = -Infinity;
  for (let steps = -furthestSteps; steps <= furthestSteps; steps++) {
    const value = likeness(steps);
    if (value > highest) [best, highest] = [steps, value];
  }
  return best * grid.stepSemitones;
}
