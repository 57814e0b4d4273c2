import { autocorrelation, linearPrediction, rootsOf } from './linear-prediction.ts';
import { createResampler } from './resample-sound.ts';

const analysisRateHz = 10_000;
const windowFrames = 256;
const order = 11;
const preEmphasis = 0.97;
const mostWindows = 800;
/** Against the loudest windows: pauses and breath have no formants. */
const quietestShare = 0.1;
const widestBandHz = 500;
const lowestHz = 200;
const highestHz = 4200;
const fewestWindows = 20;

/** The third formant of the neutral tract, between the averages of men and women over ten vowels (Peterson and Barney 1952). */
const neutralF3Hz = 2700;
const thirdFormantHz = { lowest: 1700, highest: 3900 };

/** Resonances of one window in Hz, ascending. */
function formantsOf(window: Float64Array): readonly number[] {
  const filter = linearPrediction(autocorrelation(window, order));
  if (!filter) return [];
  return rootsOf(filter)
    .filter(({ im }) => im > 0)
    .map(({ re, im }) => ({
      hz: (Math.atan2(im, re) * analysisRateHz) / (2 * Math.PI),
      bandHz: (-Math.log(Math.hypot(re, im)) * analysisRateHz) / Math.PI,
    }))
    .filter(({ hz, bandHz }) => hz > lowestHz && hz < highestHz && bandHz < widestBandHz)
    .map(({ hz }) => hz)
    .sort((a, b) => a - b);
}

function resampled(samples: Float32Array, sampleRate: number): Float32Array {
  const resampler = createResampler(1, sampleRate, analysisRateHz);
  const parts = [resampler.push([samples])[0], resampler.end()[0]].filter((part) => part !== undefined);
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/**
 * How far the formants of a voice lie from those of a tract between the average man's and woman's, in semitones: below 0 sounds larger.
 * Null where there is too little voice. Told from the third formant, which depends less than the others on what is said: its median
 * over the louder windows of 26 ms, by linear prediction at 10 kHz. Follows a voice whose formants are moved by up to two semitones
 * within one; beyond that it takes a neighbouring resonance for the third.
 */
export function formantScale(samples: Float32Array, sampleRate: number): number | null {
  const signal = resampled(samples, sampleRate);
  const hop = Math.max(windowFrames >> 1, Math.ceil(signal.length / mostWindows));
  const windows: { readonly start: number; readonly energy: number }[] = [];
  for (let start = 1; start + windowFrames <= signal.length; start += hop) {
    let energy = 0;
    for (let at = 0; at < windowFrames; at++) energy += (signal[start + at] ?? 0) ** 2;
    windows.push({ start, energy });
  }
  const loudest = Math.max(0, ...windows.map(({ energy }) => energy));
  const thirds: number[] = [];
  for (const { start, energy } of windows) {
    if (energy <= quietestShare * loudest) continue;
    const window = Float64Array.from({ length: windowFrames }, (_, at) => {
      const emphasised = (signal[start + at] ?? 0) - preEmphasis * (signal[start + at - 1] ?? 0);
      return emphasised * (0.54 - 0.46 * Math.cos((2 * Math.PI * at) / (windowFrames - 1)));
    });
    const third = formantsOf(window)[2];
    if (third !== undefined && third > thirdFormantHz.lowest && third < thirdFormantHz.highest) thirds.push(third);
  }
  if (thirds.length < fewestWindows) return null;
  thirds.sort((a, b) => a - b);
  return 12 * Math.log2((thirds[thirds.length >> 1] ?? neutralF3Hz) / neutralF3Hz);
}
