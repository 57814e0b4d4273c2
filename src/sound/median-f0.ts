import { PitchDetector } from 'pitchy';

const analysisRateHz = 11_025;
const windowFrames = 512;
const shortestHopFrames = 110;
/** Enough for a steady median; a long sound is looked at in fewer places, not for longer. */
const mostWindows = 400;
const lowestHz = 60;
const highestHz = 500;
/** Lower than the 0.9 of a tuner: at 0.9 creaky and gliding places drop out and the median of a short phrase is 13 % too high. */
const leastClarity = 0.6;
/** Loudness grows with the 0.6th power of amplitude (Stevens 1957), so with the 0.3rd of energy. */
const loudnessPower = 0.3;
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

function energyOf(window: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < window.length; at++) sum += (window[at] ?? 0) ** 2;
  return sum;
}

/**
 * Median fundamental frequency of the voiced parts, in Hz, or null where fewer than ten windows are voiced (silence, noise,
 * whisper). Each window weighs as much as it is loud: the creak at the end of a phrase, which a detector finds in one rendering of a voice
 * and not in another, then decides less. McLeod pitch method (pitchy) on the signal decimated to about 11 kHz, windows of 46 ms every
 * 10 ms or more, clarity above 0.6, 60 to 500 Hz. Within 1.5 % of Praat's median on four recordings of a real voice.
 */
export function medianF0(samples: Float32Array, sampleRate: number): number | null {
  const factor = Math.max(1, Math.round(sampleRate / analysisRateHz));
  const signal = decimate(samples, factor);
  const hop = Math.max(shortestHopFrames, Math.ceil(signal.length / mostWindows));
  const detector = PitchDetector.forFloat32Array(windowFrames);
  detector.minVolumeDecibels = quietestDecibels;
  const found: { readonly hz: number; readonly loudness: number }[] = [];
  for (let at = 0; at + windowFrames <= signal.length; at += hop) {
    const window = signal.subarray(at, at + windowFrames);
    const [hz, clarity] = detector.findPitch(window, sampleRate / factor);
    if (clarity <= leastClarity || hz <= lowestHz || hz >= highestHz) continue;
    found.push({ hz, loudness: energyOf(window) ** loudnessPower });
  }
  if (found.length < fewestVoicedWindows) return null;
  found.sort((a, b) => a.hz - b.hz);
  let rest = found.reduce((sum, { loudness }) => sum + loudness, 0) / 2;
  return found.find(({ loudness }) => (rest -= loudness) <= 0)?.hz ?? null;
}
