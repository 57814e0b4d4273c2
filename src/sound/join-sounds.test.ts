import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeSound } from './decode-sound.ts';
import { joinSounds } from './join-sounds.ts';
import { joinBlocks } from './pcm-block.ts';
import { buzz, encoded, withFolder } from './sound.fixture.ts';

const rate = 24_000;

async function samplesOf(path: string): Promise<Float32Array> {
  const blocks = [];
  for await (const { channels } of decodeSound(path)) blocks.push(channels.map((channel) => channel.slice()));
  return joinBlocks(blocks)[0] ?? new Float32Array(0);
}

/** Writes the sounds and joins them with these pauses. */
const joined = <T>(
  sounds: readonly (readonly [samples: Float32Array, sampleRate: number])[],
  pauseSeconds: number,
  use: (path: string, folder: string) => Promise<T>,
): Promise<T> =>
  withFolder(async (folder) => {
    const parts = [];
    for (const [at, [samples, sampleRate]] of sounds.entries()) {
      const path = join(folder, `${at}.wav`);
      await writeFile(path, await encoded('wav', [samples], sampleRate));
      parts.push({ path, pauseSeconds });
    }
    const to = join(folder, 'joined.wav');
    await joinSounds({ parts, to, format: 'wav' });
    return use(to, folder);
  });

const scaled = (samples: Float32Array, gain: number) => samples.map((value) => value * gain);
const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

describe('joined sounds', () => {
  it('are as long as all of them and their pauses, to the sample', async () => {
    const sounds = [buzz(120, 1.0123, rate), buzz(130, 0.5, rate), buzz(140, 2.2, rate)];
    const frames = sounds.reduce((sum, { length }) => sum + length, 0) + 3 * Math.round(0.35 * rate);
    const samples = await joined(
      sounds.map((sound) => [sound, rate] as const),
      0.35,
      samplesOf,
    );
    expect(samples.length).toBe(frames);
  });

  it('are as long as that although no pause or resampled sound is a whole number of samples', async () => {
    const sounds = Array.from({ length: 60 }, (_, k) => {
      const own = k % 2 === 0 ? 22_050 : 16_000;
      return [buzz(120, 0.0333, own), own] as const;
    });
    const seconds = sounds.reduce((sum, [{ length }, own]) => sum + length / own + 0.35, 0);
    const samples = await joined(sounds, 0.35, samplesOf);
    expect(Math.abs(samples.length - seconds * 22_050)).toBeLessThan(2);
  });

  it('do not click where they begin and end in the middle of a sound', async () => {
    const sound = Float32Array.from({ length: rate }, (_, at) => 0.5 * Math.cos((2 * Math.PI * 100 * at) / rate));
    const samples = await joined(
      [
        [sound, rate],
        [sound, rate],
      ],
      0,
      samplesOf,
    );
    // The step of a cosine that begins at once would be 0.5; its own steepest is 0.013.
    const steps = samples.subarray(1).map((value, at) => Math.abs(value - (samples[at] ?? 0)));
    expect(Math.max(...steps)).toBeLessThan(0.02);
    expect(
      [samples[0], samples[rate - 1], samples[rate], samples.at(-1)].every((value = 1) => Math.abs(value) < 0.001),
    ).toBe(true);
  });

  it('are equally loud, without clipping', async () => {
    const sound = buzz(120, 1, rate);
    const samples = await joined(
      [
        [sound, rate],
        [scaled(sound, 0.5), rate],
        [scaled(sound, 1.4), rate],
      ],
      0,
      samplesOf,
    );
    const levels = [0, 1, 2].map((at) => rms(samples.subarray(at * rate + 1000, (at + 1) * rate - 1000)));
    for (const level of levels) expect(20 * Math.log10(level / (levels[0] ?? 1))).toBeCloseTo(0, 0);
    expect(Math.max(...samples.map(Math.abs))).toBeLessThanOrEqual(0.98);
  });

  it('of several rates keep the highest, and the pitch of each', async () => {
    await joined(
      [
        [buzz(120, 1, 16_000), 16_000],
        [buzz(120, 1, 48_000), 48_000],
      ],
      0,
      async (path) => {
        for await (const { sampleRate } of decodeSound(path)) expect(sampleRate).toBe(48_000);
        expect((await samplesOf(path)).length).toBe(96_000);
      },
    );
  });

  it('leave no file if one of them is not a sound', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'a.wav');
      await writeFile(path, 'a letter');
      const to = join(folder, 'joined.wav');
      await expect(joinSounds({ parts: [{ path, pauseSeconds: 0 }], to, format: 'wav' })).rejects.toMatchObject({
        code: 'input/not-audio',
      });
      expect(await readdir(folder)).toEqual(['a.wav']);
    }));
});
