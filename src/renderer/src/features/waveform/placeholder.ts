import type { WaveformColumns } from './waveform-columns.ts';

/** Marsaglia's xorshift32: a repeatable sequence in 0..1. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}

/**
 * Imitates the waveform of speech: phrases of syllables with pauses, bright low hisses, dark tall vowels. A placeholder for files that
 * are dragged over the window, never for a recording.
 */
export function placeholderColumns(count: number, seed: number): WaveformColumns {
  const random = createRandom(seed);
  const columns = {
    peak: new Float32Array(count),
    rms: new Float32Array(count),
    bright: new Float32Array(count).fill(0.5),
  };
  const put = (at: number, peak: number, body: number, bright: number): void => {
    columns.peak[at] = peak;
    columns.rms[at] = peak * body;
    columns.bright[at] = Math.min(1, bright);
  };
  let at = 0;
  let syllablesLeft = 0;
  let level = 1;
  let grain = 0.85;
  while (at < count) {
    if (syllablesLeft-- <= 0) {
      syllablesLeft = 5 + Math.floor(random() * 9);
      level = 0.74 + random() * 0.26;
      for (let rest = 5 + random() * 14; rest > 0 && at < count; rest--) put(at++, 0.015, 0.6, 0.5);
    }
    level *= 0.97;
    const length = Math.max(3, Math.round(6 + random() * 10));
    const hissEnd = random() < 0.34 ? Math.round(length * (0.2 + random() * 0.2)) : 0;
    const force = level * (0.5 + random() * 0.5);
    const tone = 0.1 + random() * 0.45;
    for (let k = 0; k < length && at < count; k++) {
      if (k < hissEnd) {
        put(at++, force * (0.16 + random() * 0.16), 0.6, 0.85 + random() * 0.15);
        continue;
      }
      const shape = Math.sin(Math.PI * ((k - hissEnd) / Math.max(1, length - hissEnd)) ** 0.62) ** 0.7 * 0.9 + 0.08;
      grain = grain * 0.55 + (0.62 + random() * 0.38) * 0.45;
      put(at++, Math.max(0.02, force * shape * grain), 0.47, tone + (1 - shape) * 0.25);
    }
  }
  return columns;
}
