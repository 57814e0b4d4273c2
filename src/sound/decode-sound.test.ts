import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decodeSound, type DecodeOptions } from './decode-sound.ts';
import { buzz, encoded, hiss, withFolder } from './test-sound.ts';

const decodeBytes = (bytes: Uint8Array, options?: DecodeOptions) =>
  withFolder(async (folder) => {
    const path = join(folder, 'sound');
    await writeFile(path, bytes);
    let frames = 0;
    for await (const { channels } of decodeSound(path, options)) frames += channels[0]?.length ?? 0;
    return frames;
  });

const rate = 44_100;

it('keeps every frame of a FLAC, which decoders lose when it comes in pieces', async () => {
  const sound = hiss(20, rate);
  expect(await decodeBytes(await encoded('flac', [sound], rate))).toBe(sound.length);
});

it.each(['', 'no sound at all, only text', 'RIFF\x24\0\0\0WAVEfmt ', 'fLaC\0\0\0\x22'])(
  'answers input/not-audio for %j',
  async (text) => {
    await expect(decodeBytes(Uint8Array.from(text, (c) => c.charCodeAt(0)))).rejects.toMatchObject({
      code: 'input/not-audio',
    });
  },
);

it('answers input/cut with both lengths where the sound ends before what was promised', async () => {
  const bytes = await encoded('mp3', [buzz(120, 4, rate)], rate);
  await expect(decodeBytes(bytes.subarray(0, bytes.length / 2), { expectedSeconds: 4 })).rejects.toMatchObject({
    code: 'input/cut',
    problem: { facts: { promisedSeconds: 4, actualSeconds: expect.closeTo(2, 0) as number } },
  });
});

it('takes sound that is as long as promised', async () => {
  const bytes = await encoded('ogg', [buzz(120, 2, rate)], rate);
  expect(await decodeBytes(bytes, { expectedSeconds: 2 })).toBe(2 * rate);
});

it('throws the file system error of a file that is not there', async () => {
  await expect(decodeSound('/nowhere/x.wav').next()).rejects.toMatchObject({ code: 'ENOENT' });
});

it('stops with the reason of its signal', async () => {
  const bytes = await encoded('wav', [hiss(30, rate)], rate);
  await withFolder(async (folder) => {
    const path = join(folder, 'sound.wav');
    await writeFile(path, bytes);
    const controller = new AbortController();
    const blocks = decodeSound(path, { signal: controller.signal });
    await blocks.next();
    controller.abort(new Error('enough'));
    await expect(blocks.next()).rejects.toThrow('enough');
  });
});
