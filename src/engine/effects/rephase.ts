import { createFourier } from './fourier.ts';
import type { SoundEffect } from './sound-effect.ts';

export interface RephaseOptions {
  readonly channels: number;
  /** Frames between windows. With zero phases this is the period of the output tone. */
  readonly hopFrames: number;
  /** A power of two, at least twice the hop. */
  readonly windowFrames: number;
  /** `zero`: one pulse per hop, a robot. `random`: noise, a whisper. */
  readonly phases: 'zero' | 'random';
}

/** Deterministic noise (mulberry32), so that the same input gives the same output. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Keeps each window's magnitudes and replaces its phases: robotization and whisperization as in
 * Zölzer (ed.), DAFX, chapter 8. Overlap-add with Hann windows; each hop is scaled to the input's
 * loudness. The length is unchanged; the latency of one window is compensated.
 */
export function createRephase({ channels, hopFrames, windowFrames, phases }: RephaseOptions): SoundEffect {
  const fourier = createFourier(windowFrames);
  const window = Float64Array.from(
    { length: windowFrames },
    (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / windowFrames),
  );
  const half = windowFrames / 2;
  const random = createRandom(7);
  const re = new Float64Array(windowFrames);
  const im = new Float64Array(windowFrames);

  const rephase = (frame: Float64Array): Float64Array => {
    let energyIn = 0;
    for (let at = 0; at < windowFrames; at++) {
      const value = (frame[at] ?? 0) * (window[at] ?? 0);
      energyIn += value * value;
      re[at] = value;
      im[at] = 0;
    }
    fourier.forward(re, im);
    for (let bin = 0; bin <= half; bin++) {
      const magnitude = Math.hypot(re[bin] ?? 0, im[bin] ?? 0);
      // Alternating signs put the zero phase in the middle of the window instead of at its edge.
      const angle = phases === 'zero' ? bin * Math.PI : random() * 2 * Math.PI;
      const isEdge = bin === 0 || bin === half;
      re[bin] = isEdge ? magnitude : magnitude * Math.cos(angle);
      im[bin] = isEdge ? 0 : magnitude * Math.sin(angle);
      if (isEdge) continue;
      re[windowFrames - bin] = re[bin] ?? 0;
      im[windowFrames - bin] = -(im[bin] ?? 0);
    }
    fourier.inverse(re, im);
    let energyOut = 0;
    for (let at = 0; at < windowFrames; at++) {
      const value = (re[at] ?? 0) * (window[at] ?? 0);
      energyOut += value * value;
      re[at] = value;
    }
    const overlap = (0.375 * windowFrames) / hopFrames;
    // Windows with random phases add in power; pulses hardly overlap.
    const gain = energyOut > 0 ? Math.sqrt(energyIn / energyOut / Math.max(1, overlap)) : 0;
    for (let at = 0; at < windowFrames; at++) re[at] = (re[at] ?? 0) * gain;
    return re;
  };

  const createChannel = () => {
    let input: number[] = Array.from({ length: half }, () => 0);
    let sum = new Float64Array(windowFrames);
    let framesToDrop = half;
    const run = (samples: Float32Array): Float32Array => {
      for (const sample of samples) input.push(sample);
      const out: number[] = [];
      let start = 0;
      for (; start + windowFrames <= input.length; start += hopFrames) {
        const changed = rephase(Float64Array.from(input.slice(start, start + windowFrames)));
        for (let at = 0; at < windowFrames; at++) sum[at] = (sum[at] ?? 0) + (changed[at] ?? 0);
        for (let at = 0; at < hopFrames; at++) {
          if (framesToDrop > 0) framesToDrop--;
          else out.push(sum[at] ?? 0);
        }
        const shifted = new Float64Array(windowFrames);
        shifted.set(sum.subarray(hopFrames));
        sum = shifted;
      }
      input = input.slice(start);
      return Float32Array.from(out);
    };
    let inputFrames = 0;
    let outputFrames = 0;
    return {
      push(samples: Float32Array) {
        inputFrames += samples.length;
        const out = run(samples);
        outputFrames += out.length;
        return out;
      },
      end: () => run(new Float32Array(2 * windowFrames)).subarray(0, inputFrames - outputFrames),
    };
  };

  const channelStates = Array.from({ length: channels }, createChannel);
  return {
    push: (block) => channelStates.map((state, index) => state.push(block[index] ?? new Float32Array(0))),
    end: () => channelStates.map((state) => state.end()),
  };
}
