import { createFourier } from '../../src/engine/effects/fourier.ts';
import { createResampler } from '../../src/sound/resample-sound.ts';
import { trackF0 } from './track-f0.mts';
import { median } from '../median.mts';
import type { Sound } from './sound-file.mts';

const rate = 16_000;
const size = 2 ** 15;
const segments = 3;
const bands = { lowestErb: 6, highestErb: 30 };
/** Modulation is heard as roughness between these rates, most of all at 70 Hz (Zwicker and Fastl 1990). */
const rough = { lowestHz: 20, highestHz: 150, mostHz: 70 };

const fourier = createFourier(size);
/** Equivalent rectangular bandwidths (Glasberg and Moore 1990). */
const hzOf = (erb: number) => (10 ** (erb / 21.4) - 1) / 0.00437;
const bandwidthOf = (hz: number) => 24.7 * (0.00437 * hz + 1);

/** Modulation and energy of one band: the envelope is the magnitude of the analytic signal. */
function bandOf(re: Float64Array, im: Float64Array, hz: number) {
  const [one, two] = [new Float64Array(size), new Float64Array(size)];
  const width = bandwidthOf(hz) / 2;
  for (let bin = 1; bin < size / 2; bin++) {
    const gain = Math.exp(-0.5 * (((bin * rate) / size - hz) / width) ** 2);
    if (gain < 1e-4) continue;
    one[bin] = (re[bin] ?? 0) * gain;
    two[bin] = (im[bin] ?? 0) * gain;
  }
  fourier.inverse(one, two);
  const envelope = one.map((value, at) => Math.hypot(value, two[at] ?? 0));
  const energy = envelope.reduce((sum, value) => sum + value * value, 0);
  fourier.forward(envelope, two.fill(0));
  let modulation = 0;
  for (let bin = Math.ceil((rough.lowestHz * size) / rate); bin < (rough.highestHz * size) / rate; bin++) {
    const share = (bin * rate) / size / rough.mostHz;
    modulation += ((envelope[bin] ?? 0) ** 2 + (two[bin] ?? 0) ** 2) * (share * Math.exp(1 - share)) ** 2;
  }
  return { energy, depth: Math.sqrt(2 * modulation) / ((envelope[0] ?? 0) + Number.MIN_VALUE) };
}

/**
 * How rough a sound is: the depth of the modulation of its critical bands at 20 to 150 Hz, weighted by how rough that rate sounds; the mean
 * over bands by their loudness, over three places of 2 s. Arbitrary unit: for comparison of sounds of the same F0.
 */
export function roughnessOf({ samples, sampleRate }: Sound): number {
  const resampler = createResampler(1, sampleRate, rate);
  const signal = [resampler.push([samples]), resampler.end()].flatMap(([part]) => Array.from(part ?? []));
  let [sum, weights] = [0, 0];
  for (let place = 0; place < segments; place++) {
    const start = Math.round((Math.max(0, signal.length - size) * place) / (segments - 1));
    const [re, im] = [new Float64Array(size), new Float64Array(size)];
    for (let at = 0; at < size; at++) re[at] = (signal[start + at] ?? 0) * Math.sin((Math.PI * at) / size) ** 2;
    fourier.forward(re, im);
    for (let erb = bands.lowestErb; erb <= bands.highestErb; erb++) {
      const { energy, depth } = bandOf(re, im, hzOf(erb));
      sum += depth * energy ** 0.3;
      weights += energy ** 0.3;
    }
    if (signal.length <= size) break;
  }
  return sum / weights;
}

/** The noise between the harmonics in dB relative to them: from the clarity of McLeod's method, the median over voiced places. */
export function noiseOf(sound: Sound): number {
  const voiced = trackF0(sound, 0.7).filter(({ hz }) => !Number.isNaN(hz));
  return median(voiced.map(({ clarity }) => 10 * Math.log10((1 - clarity) / clarity)));
}
