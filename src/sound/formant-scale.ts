import { autocorrelation, linearPrediction, rootsOf } from './linear-prediction.ts';
import { joinBlocks } from './pcm-block.ts';
import { createResampler } from './resample-sound.ts';

const analysisRateHz = 10_000;
const windowFrames = 256;
const order = 11;
const preEmphasis = 0.97;
const maxWindows = 800;
/** Relative to the loudest window: pauses and breath have no formants. */
const minRelativeEnergy = 0.1;
const maxBandwidthHz = 500;
const minFormantHz = 200;
const maxFormantHz = 4200;
const minWindows = 20;

/**
 * F3 of the neutral vocal tract, between the averages of men and women over ten vowels (Peterson and
 * Barney 1952).
 */
const neutralF3Hz = 2700;
const thirdFormantHz = { min: 1700, max: 3900 };

/** Returns the resonances of one window in Hz, ascending. */
function formantsOf(window: Float64Array): readonly number[] {
  const filter = linearPrediction(autocorrelation(window, order));
  if (!filter) return [];
  return rootsOf(filter)
    .filter(({ im }) => im > 0)
    .map(({ re, im }) => ({
      hz: (Math.atan2(im, re) * analysisRateHz) / (2 * Math.PI),
      bandwidthHz: (-Math.log(Math.hypot(re, im)) * analysisRateHz) / Math.PI,
    }))
    .filter(({ hz, bandwidthHz }) => hz > minFormantHz && hz < maxFormantHz && bandwidthHz < maxBandwidthHz)
    .map(({ hz }) => hz)
    .sort((a, b) => a - b);
}

function resampled(samples: Float32Array, sampleRate: number): Float32Array {
  const resampler = createResampler(1, sampleRate, analysisRateHz);
  return joinBlocks([resampler.push([samples]), resampler.end()])[0] ?? new Float32Array(0);
}

/**
 * Returns how far a voice's formants are from those of a vocal tract between the average man's and
 * woman's, in semitones; below 0 sounds larger. Returns null if there is too little voice.
 *
 * Uses the third formant, which depends least on the spoken sounds: its median over the louder
 * windows of 26 ms, by linear prediction at 10 kHz. Accurate to one semitone for shifts of up to
 * two; beyond that it mistakes a neighbouring resonance for the third.
 */
export function formantScale(samples: Float32Array, sampleRate: number): number | null {
  const signal = resampled(samples, sampleRate);
  const hop = Math.max(windowFrames >> 1, Math.ceil(signal.length / maxWindows));
  const windows: { readonly start: number; readonly energy: number }[] = [];
  for (let start = 1; start + windowFrames <= signal.length; start += hop) {
    let energy = 0;
    for (let at = 0; at < windowFrames; at++) energy += (signal[start + at] ?? 0) ** 2;
    windows.push({ start, energy });
  }
  const loudest = Math.max(0, ...windows.map(({ energy }) => energy));
  const thirds: number[] = [];
  for (const { start, energy } of windows) {
    if (energy <= minRelativeEnergy * loudest) continue;
    const window = Float64Array.from({ length: windowFrames }, (_, at) => {
      const emphasised = (signal[start + at] ?? 0) - preEmphasis * (signal[start + at - 1] ?? 0);
      return emphasised * (0.54 - 0.46 * Math.cos((2 * Math.PI * at) / (windowFrames - 1)));
    });
    const third = formantsOf(window)[2];
    if (third !== undefined && third > thirdFormantHz.min && third < thirdFormantHz.max) thirds.push(third);
  }
  if (thirds.length < minWindows) return null;
  thirds.sort((a, b) => a - b);
  return 12 * Math.log2((thirds[thirds.length >> 1] ?? neutralF3Hz) / neutralF3Hz);
}
