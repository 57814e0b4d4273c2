import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readVoiceFeatures } from './voice-features.ts';
import { buzz, encoded, hiss, withFolder } from './sound.fixture.ts';

const featuresOf = (channel: Float32Array, rate = 44_100) =>
  withFolder(async (folder) => {
    const path = join(folder, 'voice.wav');
    await writeFile(path, await encoded('wav', [channel], rate));
    return readVoiceFeatures(path);
  });

it.each([90, 140, 220, 310])('measures a voice of %i Hz within 2 %', async (hz) => {
  const { f0Hz } = await featuresOf(buzz(hz, 2, 44_100));
  expect(Math.abs((f0Hz ?? 0) / hz - 1)).toBeLessThan(0.02);
});

it('measures no pitch in noise, which is brighter than a voice', async () => {
  const noise = await featuresOf(hiss(2, 44_100));
  const voice = await featuresOf(buzz(120, 2, 44_100));
  expect(noise.f0Hz).toBeNull();
  expect(noise.brightness).toBeGreaterThan(voice.brightness);
  expect(voice.brightness).toBeGreaterThanOrEqual(0);
  expect(noise.brightness).toBeLessThanOrEqual(1);
});

it('measures half the amplitude as 6 dB less', async () => {
  const loud = await featuresOf(buzz(120, 2, 44_100));
  const soft = await featuresOf(buzz(120, 2, 44_100).map((value) => value / 2));
  expect((loud.levelDb ?? 0) - (soft.levelDb ?? 0)).toBeCloseTo(6.02, 1);
});

it('has no level and no pitch for silence', async () => {
  expect(await featuresOf(new Float32Array(44_100))).toEqual({ f0Hz: null, brightness: 0, levelDb: null });
});

it('measures only the first half minute of a long recording', async () => {
  const sound = new Float32Array(60 * 8000);
  sound.set(buzz(200, 30, 8000));
  sound.set(buzz(100, 30, 8000), 30 * 8000);
  const { f0Hz } = await featuresOf(sound, 8000);
  expect(f0Hz).toBeGreaterThan(190);
});
