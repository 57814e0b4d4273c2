import type { WaveformData } from '../../src/shared/schemas/job.ts';

const columns = 1024;

function createRandom(seedText: string): () => number {
  let state = Array.from(seedText).reduce(
    (h, letter) => Math.imul(h ^ (letter.codePointAt(0) ?? 0), 16_777_619),
    2_166_136_261,
  );
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** A waveform like that of speech, with phrases, pauses and syllables; the result is a little brighter. */
export function fakeWaveform(id: string, which: 'source' | 'result', durationSeconds: number): WaveformData {
  const random = createRandom(id);
  const shift = which === 'result' ? 0.08 : 0;
  let text = '';
  const put = (peak: number, rms: number, bright: number): void => {
    const bytes = [peak, rms, bright + shift].map((value) => Math.round(255 * Math.min(1, Math.max(0, value))));
    text += String.fromCharCode(...bytes);
  };
  let at = 0;
  let left = 0;
  let level = 1;
  while (at < columns) {
    if (left-- <= 0) {
      left = 5 + Math.floor(random() * 9);
      level = 0.7 + random() * 0.3;
      for (let rest = 8 + random() * 30; rest > 0 && at < columns; rest--, at++) put(0.02, 0.01, 0.5);
    }
    const length = 14 + Math.round(random() * 22);
    const hiss = random() < 0.34 ? Math.round(length * 0.25) : 0;
    const force = level * (0.5 + random() * 0.5);
    const tone = 0.08 + random() * 0.45;
    for (let k = 0; k < length && at < columns; k++, at++) {
      const share = (k - hiss) / (length - hiss);
      if (k < hiss) put(force * 0.25, force * 0.14, 0.9);
      else {
        const height = force * (Math.sin(Math.PI * share ** 0.62) ** 0.7 * (0.75 + random() * 0.25) + 0.05);
        put(height, height * 0.46, tone + (1 - Math.sin(Math.PI * share)) * 0.2);
      }
    }
  }
  return { columns: btoa(text), durationSeconds, levelDb: which === 'result' ? -18 : -21 };
}
