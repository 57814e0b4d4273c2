import { expect, it } from 'vitest';
import { computeWaveform } from './waveform-columns.ts';
import { bytesPerColumn, waveformColumns, type Waveform } from './waveform.ts';
import type { PcmBlock } from './pcm-block.ts';
import { buzz, hiss } from './sound.fixture.ts';

const rate = 44_100;

// eslint-disable-next-line @typescript-eslint/require-await -- decoders have this type
async function* blocksOf(sound: Float32Array, frames = 4096, channels = 1): AsyncGenerator<PcmBlock> {
  for (let at = 0; at < sound.length; at += frames) {
    yield { channels: Array.from({ length: channels }, () => sound.subarray(at, at + frames)), sampleRate: rate };
  }
}

const column = ({ columns }: Waveform, at: number) => [
  ...columns.subarray(at * bytesPerColumn, (at + 1) * bytesPerColumn),
];
const peaks = ({ columns }: Waveform) => [...columns].filter((_, at) => at % bytesPerColumn === 0);

it('has 1,024 columns of three bytes and the duration in seconds, however long the audio is', async () => {
  for (const frames of [1, 500, 44_100, 3_000_000]) {
    const fold = await computeWaveform(blocksOf(new Float32Array(frames).fill(0.5)));
    expect(fold.columns).toHaveLength(waveformColumns * bytesPerColumn);
    expect(fold.durationSeconds).toBeCloseTo(frames / rate, 9);
    expect(peaks(fold).every((peak) => peak === 255)).toBe(true);
  }
});

it('scales the loudest peak to 255 and the rest in proportion', async () => {
  const sound = new Float32Array(rate).fill(0.1);
  sound.fill(-0.4, 0, rate / 2);
  const fold = await computeWaveform(blocksOf(sound));
  expect(column(fold, 100).slice(0, 2)).toEqual([255, 255]);
  expect(column(fold, 900).slice(0, 2)).toEqual([64, 64]);
});

it('draws silence as zeros', async () => {
  expect((await computeWaveform(blocksOf(new Float32Array(rate)))).columns.every((value) => value === 0)).toBe(true);
});

it('draws a vowel darker than a hiss', async () => {
  const sound = new Float32Array(2 * rate);
  sound.set(buzz(120, 1, rate));
  sound.set(hiss(1, rate), rate);
  const fold = await computeWaveform(blocksOf(sound));
  const [vowel = 0, noise = 0] = [column(fold, 200)[2], column(fold, 800)[2]];
  expect(vowel).toBeLessThan(110);
  expect(noise).toBeGreaterThan(220);
});

it('keeps a click in place, also after the bins were merged many times', async () => {
  const sound = new Float32Array(5_000_000);
  sound[Math.floor(sound.length * 0.75)] = 1;
  const fold = await computeWaveform(blocksOf(sound, 100_003));
  const loud = peaks(fold).flatMap((peak, at) => (peak > 0 ? [at] : []));
  expect(loud).toHaveLength(1);
  expect(Math.abs((loud[0] ?? 0) - 768)).toBeLessThanOrEqual(1);
});

it('draws the same for any block size, and for one channel as for two equal ones', async () => {
  const sound = buzz(150, 3, rate);
  const whole = await computeWaveform(blocksOf(sound, sound.length));
  expect(await computeWaveform(blocksOf(sound, 777))).toEqual(whole);
  expect(await computeWaveform(blocksOf(sound, 4096, 2))).toEqual(whole);
});

it('rejects audio without frames', async () => {
  await expect(computeWaveform(blocksOf(new Float32Array(0)))).rejects.toMatchObject({ code: 'input/not-audio' });
});

it('is as loud as the audio is on average, without pauses', async () => {
  const voice = buzz(150, 2, rate).map((value) => value * 0.25);
  const level = async (...parts: readonly Float32Array[]) => {
    const sound = new Float32Array(parts.reduce((frames, part) => frames + part.length, 0));
    parts.reduce((at, part) => (sound.set(part, at), at + part.length), 0);
    return (await computeWaveform(blocksOf(sound))).levelDb ?? NaN;
  };
  const alone = await level(voice);
  const room = hiss(2, rate).map((value) => value * 0.001);
  expect(await level(voice, room, voice, room)).toBeCloseTo(alone, 1);
  expect(await level(voice.map((value) => value / 2))).toBeCloseTo(alone - 6.02, 1);
  expect((await computeWaveform(blocksOf(new Float32Array(rate)))).levelDb).toBeNull();
  expect(await level(new Float32Array(rate).fill(0.5))).toBeCloseTo(-6.02, 2);
});
