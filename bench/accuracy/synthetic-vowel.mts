import type { Sound } from './sound-file.mts';

const sampleRate = 44_100;
const glottis = 0.96;
const highestFormantHz = 10_000;
const peak = 0.5;

/** Formants of a man's vowels in Hz, the first four (Peterson and Barney 1952, and 3.3 to 3.6 kHz for the fourth). */
export const mansVowels: Readonly<Record<string, readonly number[]>> = {
  a: [730, 1090, 2440, 3400],
  e: [530, 1840, 2480, 3400],
  i: [270, 2290, 3010, 3600],
  u: [300, 870, 2240, 3400],
  er: [490, 1350, 1690, 3300],
};
/** How far a woman's formants lie above a man's. */
export const womansTract = 1.17;

/**
 * A vowel that is known because it is made: a train of pulses, softened as by the glottis, through resonances at `formants` and every
 * 1000 Hz above them. F0 glides to either side of `f0Hz`, by default three semitones,
 * as in speech, so that the harmonics touch all of the envelope.
 */
export function syntheticVowel(
  formants: readonly number[],
  f0Hz: number,
  seconds: number,
  glide: { readonly semitones: number; readonly hz: number } = { semitones: 3, hz: 1.3 },
): Sound {
  const frames = Math.round(seconds * sampleRate);
  const signal = new Float64Array(frames);
  let phase = 0.5;
  for (let at = 0; at < frames; at++) {
    const step =
      (f0Hz * 2 ** ((glide.semitones / 12) * Math.sin((2 * Math.PI * glide.hz * at) / sampleRate))) / sampleRate;
    phase += step;
    if (phase < 1) continue;
    phase -= 1;
    // The pulse fell between two samples: both get their share.
    const late = phase / step;
    signal[at] = (signal[at] ?? 0) + 1 - late;
    if (at > 0) signal[at - 1] = (signal[at - 1] ?? 0) + late;
  }
  let flow = 0;
  for (let at = 0; at < frames; at++) {
    flow = glottis * flow + (signal[at] ?? 0);
    signal[at] = flow;
  }
  const resonances = [...formants];
  for (let hz = (formants.at(-1) ?? 0) + 1000; hz < highestFormantHz; hz += 1000) resonances.push(hz);
  for (const hz of resonances) {
    const radius = Math.exp((-Math.PI * (50 + 0.035 * hz)) / sampleRate);
    const [first, second] = [2 * radius * Math.cos((2 * Math.PI * hz) / sampleRate), -radius * radius];
    let [last, before] = [0, 0];
    for (let at = 0; at < frames; at++) {
      const value = (1 - first - second) * (signal[at] ?? 0) + first * last + second * before;
      [last, before] = [value, last];
      signal[at] = value;
    }
  }
  const loudest = signal.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { samples: Float32Array.from(signal, (value) => (value / loudest) * peak), sampleRate };
}
