import { PitchDetector } from 'pitchy';

const analysisRateHz = 11_025;
const windowFrames = 512;
const shortestHopFrames = 110;
/** Enough for a steady median; a long sound is looked at in fewer places, not for longer. */
const mostWindows = 1500;
const lowestHz = 60;
const highestHz = 500;
/** Lower than the 0.9 of a tuner: at 0.9 creaky and gliding places drop out and the median of a short phrase is 13 % too high. */
const leastClarity = 0.8;
const quietestDecibels = -40;
const fewestVoicedWindows = 10;

/** Averages runs of samples, so that speech up to `analysisRateHz` / 2 stays; the box's weak alias rejection is enough for F0. */
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

/**
 * Median fundamental frequency of the voiced parts, in Hz, or null where fewer than ten windows are voiced (silence, noise,
 * whisper). McLeod pitch method (pitchy) on the signal decimated to about 11 kHz, windows of 46 ms every 10 ms or more, clarity above
 * 0.8, 60 to 500 Hz. On eight recordings of a real voice, 1.4 s each, within 3.5 % of Praat's median on seven, 12 % on one that creaks.
 */
export function medianF0(samples: Float32Array, sampleRate: number): number | null {
  const factor = Math.max(1, Math.round(sampleRate / analysisRateHz));
  const signal = decimate(samples, factor);
  const hop = Math.max(shortestHopFrames, Math.ceil(signal.length / mostWindows));
  const detector = PitchDetector.forFloat32Array(windowFrames);
  detector.minVolumeDecibels = quietestDecibels;
  const found: number[] = [];
  for (let at = 0; at + windowFrames <= signal.length; at += hop) {
    const [hz, clarity] = detector.findPitch(signal.subarray(at, at + windowFrames), sampleRate / factor);
    if (clarity > leastClarity && hz > lowestHz && hz < highestHz) found.push(hz);
  }
  if (found.length < fewestVoicedWindows) return null;
  found.sort((a, b) => a - b);
  return found[found.length >> 1] ?? null;
}
