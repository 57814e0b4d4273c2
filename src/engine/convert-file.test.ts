import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decodeSound } from '../sound/decode-sound.ts';
import { medianF0 } from '../sound/median-f0.ts';
import { joinBlocks } from '../sound/pcm-block.ts';
import { buzz, encoded, hiss, withFolder } from '../sound/sound.fixture.ts';
import { findVoice } from './catalogue.ts';
import { convertFile, type ConvertRequest } from './convert-file.ts';

const voice = findVoice('open-field');
if (!voice) throw new Error('open-field');

const rate = 44_100;
const plain = {
  format: 'wav',
  voice,
  change: { pitch: 1, speed: 1, autoF0: true, formantsFollowPitch: false },
  quality: 'fine',
} as const;

const withInput = <T>(
  bytes: Uint8Array,
  use: (paths: { inputPath: string; outputPath: string; folder: string }) => Promise<T>,
) =>
  withFolder(async (folder) => {
    const inputPath = join(folder, 'input');
    await writeFile(inputPath, bytes);
    return use({ inputPath, outputPath: join(folder, 'output'), folder });
  });

async function decode(path: string) {
  const blocks = [];
  let sampleRate = 0;
  for await (const block of decodeSound(path)) {
    blocks.push(block.channels);
    sampleRate = block.sampleRate;
  }
  return { channels: joinBlocks(blocks), sampleRate };
}

const convertBytes = (bytes: Uint8Array, change: Partial<ConvertRequest> = {}) =>
  withInput(bytes, async ({ inputPath, outputPath }) => {
    const result = await convertFile({ ...plain, ...change, inputPath, outputPath });
    return { result, ...(await decode(outputPath)) };
  });

it('keeps stereo, sample rate and length, and both channels in place', async () => {
  const left = buzz(180, 2, 48_000);
  const { channels, sampleRate, result } = await convertBytes(
    await encoded('flac', [left, left.map((value) => value / 4)], 48_000),
  );
  expect(sampleRate).toBe(48_000);
  expect(channels.map((channel) => channel.length)).toEqual([96_000, 96_000]);
  expect(result).toMatchObject({ inputSeconds: 2, outputSeconds: 2 });
  const power = (channel: Float32Array = new Float32Array(0)) => channel.reduce((sum, value) => sum + value * value, 0);
  expect(power(channels[0]) / power(channels[1])).toBeCloseTo(16, 0);
});

it('converts a sample rate above those of MP3 to the highest one, with the same length and F0', async () => {
  const { channels, sampleRate } = await convertBytes(await encoded('wav', [buzz(180, 2, 96_000)], 96_000), {
    format: 'mp3',
  });
  expect(sampleRate).toBe(48_000);
  expect(channels[0]).toHaveLength(96_000);
  expect(Math.abs((medianF0(channels[0] ?? new Float32Array(0), 48_000) ?? 0) / 112 - 1)).toBeLessThan(0.02);
});

it('keeps loud audio below full scale', async () => {
  const loud = buzz(180, 1, rate).map((value) => Math.max(-1, Math.min(1, value * 6)));
  const { channels } = await convertBytes(await encoded('wav', [loud], rate), {
    change: { ...plain.change, pitch: 1.2 },
  });
  const peak = (channels[0] ?? new Float32Array(0)).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  expect(peak).toBeGreaterThan(0.5);
  expect(peak).toBeLessThanOrEqual(0.945);
});

it('converts audio without F0 by pitch alone', async () => {
  const { result, channels } = await convertBytes(await encoded('wav', [hiss(1, rate)], rate));
  expect(result.sourceF0Hz).toBeNull();
  expect(channels[0]).toHaveLength(rate);
});

it.each([1, 50, 4000])('converts %d frames to the same number of frames', async (frames) => {
  const { channels } = await convertBytes(await encoded('wav', [buzz(150, 1, rate).subarray(0, frames)], rate));
  expect(channels[0]).toHaveLength(frames);
});

it('leaves no file behind if the input is damaged or it is stopped', async () => {
  const bytes = await encoded('wav', [buzz(150, 30, rate)], rate);
  await withInput(bytes.subarray(0, bytes.length / 2), async ({ inputPath, outputPath, folder }) => {
    await expect(convertFile({ ...plain, inputPath, outputPath, expectedSeconds: 30 })).rejects.toMatchObject({
      code: 'input/cut',
    });
    expect(await readdir(folder)).toEqual(['input']);
  });
  await withInput(bytes, async ({ inputPath, outputPath, folder }) => {
    const stopped = convertFile(
      { ...plain, inputPath, outputPath },
      { signal: AbortSignal.abort(new Error('enough')) },
    );
    await expect(stopped).rejects.toThrow('enough');
    expect(await readdir(folder)).toEqual(['input']);
  });
});
