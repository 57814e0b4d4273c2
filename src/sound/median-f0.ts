import { PitchDetector } from 'pitchy';

const analysisRateHz = 11_025;
const windowFrames = 512;
const minHopFrames = 110;
/** Enough for a stable median; limits the cost of long recordings, which are sampled more sparsely. */
const maxWindows = 400;
const minF0Hz = 60;
const maxF0Hz = 500;
/**
 * Lower than a tuner's 0.9, which drops creaky and gliding parts, so that the median of a short
 * phrase is 13 % too high.
 */
const minClarity = 0.6;
/**
 * Loudness grows with amplitude to the power of 0.6 (Stevens 1957), that is with energy to the power
 * of 0.3.
 */
const loudnessPower = 0.3;
const minDecibels = -40;
const minVoicedWindows = 10;

/**
 * Averages groups of samples, which keeps speech up to `analysisRateHz` / 2. A box filter rejects
 * aliases weakly, which is enough for F0.
 */
function decimate(samples: Float32Array, factor: number): Float32Array {
  if (factor === 1) return samples;
  const out = new Float32Array(Math.floor(samples.length / factor));
  for (let at = 0, from = 0; at < out.length; at++) {
    let sum = 0;
    for (let k = 0; k < factor; k++) sum += samples[from++] ?? 0;
    out[at] = sum / factor;
  }
  return out;
}

function energyOf(window: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < window.length; at++) sum += (window[at] ?? 0) ** 2;
  return sum;
}

export interface MeasuredF0 {
  /** Median of the voiced parts. */
  readonly hz: number;
  /** Part of the energy that is voiced, 0 to 1: about 0.95 in speech, less than 0.4 in a choir or a band. */
  readonly voicedShare: number;
}

/**
 * Returns the median F0 of the voiced parts, or null if fewer than ten windows are voiced
 * (silence, noise, whisper). Windows are weighted by loudness, so that creak at the end of a phrase,
 * which is detected in some renderings of a voice and not in others, counts less.
 *
 * McLeod pitch method (pitchy) on the signal decimated to about 11 kHz, windows of 46 ms every 10 ms
 * or more, clarity above 0.6, 60 to 500 Hz. Within 1.5 % of Praat's median on four recordings of a
 * real voice.
 */
export function measureF0(samples: Float32Array, sampleRate: number): MeasuredF0 | null {
  const factor = Math.max(1, Math.round(sampleRate / analysisRateHz));
  const signal = decimate(samples, factor);
  const hop = Math.max(minHopFrames, Math.ceil(signal.length / maxWindows));
  const detector = PitchDetector.forFloat32Array(windowFrames);
  detector.minVolumeDecibels = minDecibels;
  const found: { readonly hz: number; readonly loudness: number }[] = [];
  let [voicedEnergy, totalEnergy] = [0, 0];
  for (let at = 0; at + windowFrames <= signal.length; at += hop) {
    const window = signal.subarray(at, at + windowFrames);
    const energy = energyOf(window);
    totalEnergy += energy;
    const [hz, clarity] = detector.findPitch(window, sampleRate / factor);
    if (clarity <= minClarity || hz <= minF0Hz || hz >= maxF0Hz) continue;
    voicedEnergy += energy;
    found.push({ hz, loudness: energy ** loudnessPower });
  }
  if (found.length < minVoicedWindows) return null;
  found.sort((a, b) => a.hz - b.hz);
  let rest = found.reduce((sum, { loudness }) => sum + loudness, 0) / 2;
  const median = found.find(({ loudness }) => (rest -= loudness) <= 0);
  return median ? { hz: median.hz, voicedShare: voicedEnergy / totalEnergy } : null;
}

/** Like `measureF0`, in Hz. */
export const medianF0 = (samples: Float32Array, sampleRate: number): number | null =>
  measureF0(samples, sampleRate)?.hz ?? null;
