import { describe, expect, it } from 'vitest';
import { medianF0 } from '../../sound/median-f0.ts';
import { joinBlocks } from '../../sound/pcm-block.ts';
import { buzz, hiss } from '../../sound/sound.fixture.ts';
import { findVoice } from '../catalogue.ts';
import type { EngineVoice, VoiceEffect } from '../voice.ts';
import { createEffects } from './create-effects.ts';
import { createFourier } from './fourier.ts';

const rate = 44_100;
const base = findVoice('open-field');
if (!base) throw new Error('open-field');

const kinds: readonly VoiceEffect[] = [
  { kind: 'robot' },
  { kind: 'whisper' },
  { kind: 'ring', hz: 300, depth: 0.5 },
  { kind: 'vibrato', hz: 5, cents: 40 },
  { kind: 'double' },
  { kind: 'radio', lowHz: 300, highHz: 3000 },
  { kind: 'growl', hz: 30, depth: 0.5 },
  { kind: 'echo', delayMs: 90, gain: 0.3 },
];

function run(
  voice: Partial<EngineVoice>,
  channels: readonly Float32Array[],
  { blockFrames = 4000, f0Hz = 110 } = {},
): readonly Float32Array[] {
  const effects = createEffects({ ...(base as EngineVoice), tiltDb: 0, ...voice }, channels.length, rate, f0Hz);
  if (!effects) return channels;
  const out: (readonly Float32Array[])[] = [];
  for (let at = 0; at < (channels[0]?.length ?? 0); at += blockFrames) {
    out.push(effects.push(channels.map((channel) => channel.subarray(at, at + blockFrames))));
  }
  out.push(effects.end());
  return joinBlocks(out);
}

const power = (sound: Float32Array) => sound.reduce((sum, value) => sum + value * value, 0) / sound.length;

describe.each(kinds)('$kind', (effect) => {
  it('keeps length and channels, also of audio shorter than its window', () => {
    for (const frames of [1, 100, 30_000]) {
      const out = run({ effects: [effect] }, [
        buzz(150, 1, rate).subarray(0, frames),
        hiss(1, rate).subarray(0, frames),
      ]);
      expect(out.map((channel) => channel.length)).toEqual([frames, frames]);
    }
  });

  it('gives the same result for any block size', () => {
    const sound = [buzz(150, 0.4, rate)];
    expect(run({ effects: [effect] }, sound, { blockFrames: 77 })).toEqual(run({ effects: [effect] }, sound));
  });

  it('changes the audio, and stays within 7 dB of its loudness', () => {
    const sound = buzz(150, 1, rate);
    const [out = new Float32Array(0)] = run({ effects: [effect] }, [sound]);
    expect(out.some((value, at) => Math.abs(value - (sound[at] ?? 0)) > 0.01)).toBe(true);
    expect(Math.abs(10 * Math.log10(power(out) / power(sound)))).toBeLessThan(7);
  });

  it('keeps silence silent', () => {
    const [out = new Float32Array(0)] = run({ effects: [effect] }, [new Float32Array(20_000)]);
    expect(out.every((value) => Math.abs(value) < 1e-9)).toBe(true);
  });
});

it('robot uses its own F0, whatever the input', () => {
  const glide = buzz(150, 1, rate).map((value, at) => value * Math.sin((2 * Math.PI * at * at) / rate / 300));
  const [out = new Float32Array(0)] = run({ effects: [{ kind: 'robot' }] }, [glide], { f0Hz: 130 });
  expect(Math.abs((medianF0(out, rate) ?? 0) / 130 - 1)).toBeLessThan(0.02);
});

it('whisper removes the F0', () => {
  const [out = new Float32Array(0)] = run({ effects: [{ kind: 'whisper' }] }, [buzz(200, 2, rate)]);
  expect(medianF0(out, rate)).toBeNull();
});

it('tilt brightens above 0 and dulls below', () => {
  const sound = hiss(1, rate);
  const [bright = new Float32Array(0)] = run({ effects: [], tiltDb: 6 }, [sound]);
  const [dull = new Float32Array(0)] = run({ effects: [], tiltDb: -6 }, [sound]);
  expect(power(bright) / power(sound)).toBeGreaterThan(2);
  expect(power(dull) / power(sound)).toBeLessThan(0.5);
});

it('a voice without tilt and effects changes nothing', () => {
  expect(createEffects({ ...base, tiltDb: 0, effects: [] }, 1, rate, 100)).toBeNull();
});

it('a Fourier transform and its inverse restore the signal, and a sine is in its bin', () => {
  const size = 64;
  const re = Float64Array.from({ length: size }, (_, at) => Math.cos((2 * Math.PI * 5 * at) / size));
  const im = new Float64Array(size);
  const before = Float64Array.from(re);
  const fourier = createFourier(size);
  fourier.forward(re, im);
  const loud = [...re].flatMap((value, bin) => (Math.abs(value) > 1e-9 ? [bin] : []));
  expect(loud).toEqual([5, 59]);
  fourier.inverse(re, im);
  re.forEach((value, at) => expect(value).toBeCloseTo(before[at] ?? 0, 12));
  expect(() => createFourier(60)).toThrow(RangeError);
});
