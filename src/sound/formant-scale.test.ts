import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeSound } from './decode-sound.ts';
import { formantScale } from './formant-scale.ts';
import { autocorrelation, linearPrediction, rootsOf } from './linear-prediction.ts';
import { createStretcher } from './stretch-sound.ts';
import { joinBlocks } from './pcm-block.ts';
import { hiss } from './sound.fixture.ts';

let voice: { readonly samples: Float32Array; readonly sampleRate: number };

beforeAll(async () => {
  const blocks: (readonly Float32Array[])[] = [];
  let sampleRate = 0;
  for await (const block of decodeSound(join(import.meta.dirname, '../../samples/harbour.wav'))) {
    blocks.push(block.channels.slice(0, 1));
    ({ sampleRate } = block);
  }
  voice = { samples: joinBlocks(blocks)[0] ?? new Float32Array(0), sampleRate };
});

async function shifted(options: { readonly formantSemitones?: number; readonly semitones?: number }) {
  const { samples, sampleRate } = voice;
  const stretcher = await createStretcher({ channels: 1, sampleRate, ...options });
  const blocks = [...stretcher.push([samples]), ...stretcher.end()];
  return joinBlocks(blocks)[0] ?? new Float32Array(0);
}

describe('the formant scale', () => {
  it.each([-2, -1, 1, 2])('moves with the formants: %i semitones, within one', async (semitones) => {
    const before = formantScale(voice.samples, voice.sampleRate) ?? NaN;
    const after = formantScale(await shifted({ formantSemitones: semitones }), voice.sampleRate) ?? NaN;
    expect(Math.abs(after - before - semitones)).toBeLessThan(1);
  });

  it.each([-3, 3])('is unchanged if only the pitch moves, by %i semitones', async (semitones) => {
    const before = formantScale(voice.samples, voice.sampleRate) ?? NaN;
    const after = formantScale(await shifted({ semitones }), voice.sampleRate) ?? NaN;
    expect(Math.abs(after - before)).toBeLessThan(1);
  });

  it('is unknown for silence and for less than a word', () => {
    expect(formantScale(new Float32Array(48_000), 48_000)).toBeNull();
    expect(formantScale(hiss(0.05, 48_000), 48_000)).toBeNull();
    expect(formantScale(new Float32Array(0), 48_000)).toBeNull();
  });
});

describe('linear prediction', () => {
  it('finds the resonance that a signal was made with', () => {
    const [hz, rate, radius] = [1200, 10_000, 0.97];
    const angle = (2 * Math.PI * hz) / rate;
    const signal = new Float64Array(2000);
    signal[2] = 1;
    for (let at = 3; at < signal.length; at++) {
      signal[at] = 2 * radius * Math.cos(angle) * (signal[at - 1] ?? 0) - radius ** 2 * (signal[at - 2] ?? 0);
    }
    const filter = linearPrediction(autocorrelation(signal, 2)) ?? expect.unreachable('silence');
    const root = rootsOf(filter).find(({ im }) => im > 0) ?? expect.unreachable('no resonance');
    expect((Math.atan2(root.im, root.re) * rate) / (2 * Math.PI)).toBeCloseTo(hz, 0);
    expect(Math.hypot(root.re, root.im)).toBeCloseTo(radius, 3);
  });
});
