import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { decodeSound } from './decode-sound.ts';
import { canEncodeRate, createSoundWriter, nearestRate } from './encode-sound.ts';
import { outputFormats, type OutputFormat } from './sound-format.ts';
import { joinBlocks } from './pcm-block.ts';
import { buzz, encoded, withFolder } from './sound.fixture.ts';

async function there(format: OutputFormat, channels: readonly Float32Array[], rate: number) {
  const bytes = await encoded(format, channels, rate);
  return withFolder(async (folder) => {
    const path = join(folder, 'sound');
    await writeFile(path, bytes);
    const blocks = [];
    let sampleRate = 0;
    for await (const block of decodeSound(path)) {
      blocks.push(block.channels);
      sampleRate = block.sampleRate;
    }
    return { bytes, sampleRate, channels: joinBlocks(blocks) };
  });
}

const error = (a: Float32Array = new Float32Array(0), b: Float32Array = new Float32Array(0)) =>
  Math.sqrt(a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0) / a.length);

it.each(outputFormats)('%s keeps the length, sample rate, channels and waveform', async (format) => {
  for (const rate of [22_050, 44_100, 48_000]) {
    const sound = [buzz(110, 1.23, rate), buzz(170, 1.23, rate).map((value) => value / 2)];
    for (const width of [1, 2]) {
      const back = await there(format, sound.slice(0, width), rate);
      expect(back.sampleRate).toBe(rate);
      expect(back.channels).toHaveLength(width);
      expect(back.channels[0]).toHaveLength(sound[0]?.length ?? 0);
      const lossless = format === 'wav' || format === 'flac';
      back.channels.forEach((channel, at) => expect(error(sound[at], channel)).toBeLessThan(lossless ? 4e-5 : 0.03));
    }
  }
});

it('keeps a stereo MP3 stereo if its channels differ only later', async () => {
  const left = buzz(110, 30, 44_100);
  const right = Float32Array.from(left);
  right.fill(0, 29 * 44_100);
  const { channels } = await there('mp3', [left, right], 44_100);
  expect(channels).toHaveLength(2);
  expect(channels[1]).toHaveLength(left.length);
});

it.each(outputFormats)('writes equal bytes for equal audio as %s', async (format) => {
  const sound = [buzz(130, 0.4, 44_100)];
  expect(await encoded(format, sound, 44_100)).toEqual(await encoded(format, sound, 44_100));
});

it.each(outputFormats)('keeps many small blocks in order in a %s', async (format) => {
  const sound = buzz(110, 1, 44_100).map((value, at) => (value * at) / 44_100);
  await withFolder(async (folder) => {
    const path = join(folder, 'sound');
    const writer = await createSoundWriter(path, { format, sampleRate: 44_100, channels: 1 });
    for (let at = 0; at < sound.length; at += 333) await writer.write([sound.subarray(at, at + 333)]);
    await writer.finish();
    const blocks = [];
    for await (const block of decodeSound(path)) blocks.push(block.channels);
    const [back] = joinBlocks(blocks);
    expect(back).toHaveLength(sound.length);
    expect(error(sound, back)).toBeLessThan(0.03);
  });
});

it('clips instead of wrapping around', async () => {
  const { channels } = await there('wav', [Float32Array.of(2, -2, 1, -1)], 44_100);
  expect(channels[0]).toEqual(Float32Array.of(1, -1, 1, -1));
});

it('rejects a sample rate that MP3 lacks before it creates a file', async () => {
  expect(canEncodeRate('mp3', 96_000)).toBe(false);
  expect(canEncodeRate('flac', 96_000)).toBe(true);
  await expect(createSoundWriter('/nowhere/x.mp3', { format: 'mp3', sampleRate: 96_000, channels: 1 })).rejects.toThrow(
    RangeError,
  );
});

it('picks the next higher sample rate that a format supports, or its highest', () => {
  expect([192_000, 50_000, 44_100, 9000, 4000].map((rate) => nearestRate('mp3', rate))).toEqual([
    48_000, 48_000, 44_100, 11_025, 8000,
  ]);
  expect(nearestRate('wav', 192_000)).toBe(192_000);
});

it('writes FLAC at each common sample rate', async () => {
  for (const rate of [8000, 11_025, 12_000, 37_800, 44_100, 64_000]) {
    const sampleRate = nearestRate('flac', rate);
    expect(sampleRate).toBeGreaterThanOrEqual(rate);
    const { channels } = await there('flac', [buzz(100, 0.2, sampleRate)], sampleRate);
    expect(channels[0]?.length).toBe(Math.round(0.2 * sampleRate));
  }
});

it.each(outputFormats)('rejects with the reason if a %s cannot be written', async (format) => {
  const write = async () => {
    const writer = await createSoundWriter('/nowhere/at/all', { format, sampleRate: 44_100, channels: 1 });
    await writer.write([buzz(100, 5, 44_100)]);
    await writer.finish();
  };
  await expect(write()).rejects.toThrow(/ENOENT/);
});
