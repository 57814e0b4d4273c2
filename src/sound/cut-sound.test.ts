import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutSound } from './cut-sound.ts';
import { decodeSound } from './decode-sound.ts';
import { joinBlocks } from './pcm-block.ts';
import { buzz, encoded, withFolder } from './sound.fixture.ts';

const rate = 24_000;
const source = buzz(120, 9, rate);

async function samplesOf(path: string): Promise<readonly Float32Array[]> {
  const blocks = [];
  for await (const { channels } of decodeSound(path)) blocks.push(channels.map((channel) => channel.slice()));
  return joinBlocks(blocks);
}

/** Cuts a part of the source, in as many channels. */
const cut = <T>(startSeconds: number, seconds: number, use: (to: string, length: number) => Promise<T>, channels = 1) =>
  withFolder(async (folder) => {
    const path = join(folder, 'source.wav');
    await writeFile(path, await encoded('wav', Array<Float32Array>(channels).fill(source), rate));
    const to = join(folder, 'part.wav');
    return use(to, await cutSound({ path, startSeconds, seconds, to, format: 'wav' }));
  });

describe('a part of a sound', () => {
  it('is to the sample what the recording has there', async () => {
    await cut(3.5, 2, async (to, length) => {
      const [samples = new Float32Array()] = await samplesOf(to);
      expect([length, samples.length]).toEqual([2, 2 * rate]);
      const expected = source.subarray(3.5 * rate, 5.5 * rate);
      expect(Math.max(...samples.map((value, at) => Math.abs(value - (expected[at] ?? 0))))).toBeLessThan(1e-4);
    });
  });

  it('keeps both channels', async () => {
    await cut(0, 1, async (to) => expect(await samplesOf(to)).toHaveLength(2), 2);
  });

  it('ends with the recording', async () => {
    await cut(8, 10, async (to, length) => {
      expect([length, (await samplesOf(to))[0]?.length]).toEqual([1, rate]);
    });
  });

  it('leaves no file if the recording ends before', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'source.wav');
      await writeFile(path, await encoded('wav', [source], rate));
      const part = { path, startSeconds: 20, seconds: 1, to: join(folder, 'part.wav'), format: 'wav' } as const;
      await expect(cutSound(part)).rejects.toMatchObject({ code: 'input/not-audio' });
      expect(await readdir(folder)).toEqual(['source.wav']);
    }));

  it('is written at a rate that its format has', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'source.wav');
      await writeFile(path, await encoded('wav', [buzz(120, 3, 37_800)], 37_800));
      const to = join(folder, 'part.mp3');
      await cutSound({ path, startSeconds: 1, seconds: 1, to, format: 'mp3' });
      const rates = new Set<number>();
      for await (const { sampleRate } of decodeSound(to)) rates.add(sampleRate);
      expect([...rates]).toEqual([44_100]);
    }));
});
