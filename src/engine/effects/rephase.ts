import { createFourier } from './fourier.ts';
import type { SoundEffect } from './sound-effect.ts';

export interface RephaseOptions {
  readonly channels: number;
  /** Frames between windows. With zero phases this is the period of the tone that comes out. */
  readonly hopFrames: number;
  /** A power of two, at least twice the hop. */
  readonly windowFrames: number;
  /** `zero`: one pulse a hop, a robot. `random`: noise, a whisper. */
  readonly phases: 'zero' | 'random';
}

/** Deterministic noise (mulberry32): the same file whispers the same way each time. */
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
 * Keeps each window's spectrum and replaces its phases: robotization and whisperization as in Zölzer (ed.), DAFX, chapter 8.
 * Overlap-add with Hann windows; each hop is brought back to the input's loudness there. The length is kept; latency is one window,
 * compensated.
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
      // Alternating signs are a zero phase in the middle of the window instead of at its edge.
      const angle = phases === 'zero' ? bin * Math.PI : random() * 2 * Math.PI;
      const edge = bin === 0 || bin === half;
      re[bin] = edge ? magnitude : magnitude * Math.cos(angle);
      im[bin] = edge ? 0 : magnitude * Math.sin(angle);
      if (edge) continue;
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
    // Windows with random phases add up in power, pulses hardly overlap at all.
    const gain = energyOut > 0 ? Math.sqrt(energyIn / energyOut / Math.max(1, overlap)) : 0;
    for (let at = 0; at < windowFrames; at++) re[at] = (re[at] ?? 0) * gain;
    return re;
  };

  const createChannel = () => {
    let input: number[] = Array.from({ length: half }, () => 0);
    let sum = new Float64Array(windowFrames);
    let toDrop = half;
    const run = (samples: Float32Array): Float32Array => {
      for (const sample of samples) input.push(sample);
      const out: number[] = [];
      let start = 0;
      for (; start + windowFrames <= input.length; start += hopFrames) {
        const changed = rephase(Float64Array.from(input.slice(start, start + windowFrames)));
        for (let at = 0; at < windowFrames; at++) sum[at] = (sum[at] ?? 0) + (changed[at] ?? 0);
        for (let at = 0; at < hopFrames; at++) {
          if (toDrop > 0) toDrop--;
          else out.push(sum[at] ?? 0);
        }
        const moved = new Float64Array(windowFrames);
        moved.set(sum.subarray(hopFrames));
        sum = moved;
      }
      input = input.slice(start);
      return Float32Array.from(out);
    };
    let taken = 0;
    let given = 0;
    return {
      push(samples: Float32Array) {
        taken += samples.length;
        const out = run(samples);
        given += out.length;
        return out;
      },
      end: () => run(new Float32Array(2 * windowFrames)).subarray(0, taken - given),
    };
  };

  const lanes = Array.from({ length: channels }, createChannel);
  return {
    push: (block) => lanes.map((lane, index) => lane.push(block[index] ?? new Float32Array(0))),
    end: () => lanes.map((lane) => lane.end()),
  };
}
