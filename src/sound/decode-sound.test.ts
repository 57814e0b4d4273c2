import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { viewOf } from './container-check.ts';
import { decodeSound, type DecodeOptions } from './decode-sound.ts';
import { buzz, encoded, hiss, withFolder } from './sound.fixture.ts';

const decodeBytes = (bytes: Uint8Array, options?: DecodeOptions) =>
  withFolder(async (folder) => {
    const path = join(folder, 'sound');
    await writeFile(path, bytes);
    let frames = 0;
    for await (const { channels } of decodeSound(path, options)) frames += channels[0]?.length ?? 0;
    return frames;
  });

const rate = 44_100;

it('keeps every frame of a FLAC, which decoders lose if it arrives in pieces', async () => {
  const sound = hiss(20, rate);
  expect(await decodeBytes(await encoded('flac', [sound], rate))).toBe(sound.length);
});

it.each(['', 'no sound at all, only text', 'RIFF\x24\0\0\0WAVEfmt ', 'fLaC\0\0\0\x22'])(
  'reports input/not-audio for %j',
  async (text) => {
    await expect(decodeBytes(Uint8Array.from(text, (c) => c.charCodeAt(0)))).rejects.toMatchObject({
      code: 'input/not-audio',
    });
  },
);

it('reports input/cut with both durations if the audio ends early', async () => {
  const bytes = await encoded('mp3', [buzz(120, 4, rate)], rate);
  await expect(decodeBytes(bytes.subarray(0, bytes.length / 2), { expectedSeconds: 4 })).rejects.toMatchObject({
    code: 'input/cut',
    problem: { facts: { promisedSeconds: 4, actualSeconds: expect.closeTo(2, 0) as number } },
  });
});

it('accepts audio that is as long as its header claims', async () => {
  const bytes = await encoded('ogg', [buzz(120, 2, rate)], rate);
  expect(await decodeBytes(bytes, { expectedSeconds: 2 })).toBe(2 * rate);
});

/** Inserts a chunk before the audio of a WAV, with a pad byte if the length is odd. */
function withChunk(bytes: Uint8Array, tag: string, length: number): Uint8Array {
  const data = 36;
  const added = 8 + length + (length & 1);
  const more = new Uint8Array(bytes.length + added);
  more.set(bytes.subarray(0, data));
  more.set(
    Uint8Array.from(tag, (c) => c.charCodeAt(0)),
    data,
  );
  more.set(bytes.subarray(data), data + added);
  viewOf(more).setUint32(4, more.length - 8, true);
  viewOf(more).setUint32(data + 4, length, true);
  return more;
}

it.each([1, 602, 603, 300_001])('finds the audio after a chunk of %i bytes', async (length) => {
  const sound = hiss(2, rate);
  const bytes = await encoded('wav', [sound], rate);
  expect(await decodeBytes(withChunk(bytes, 'bext', length))).toBe(sound.length);
});

it('ignores what follows the audio', async () => {
  const sound = hiss(2, rate);
  const bytes = await encoded('wav', [sound], rate);
  const more = new Uint8Array(bytes.length + 5000);
  more.set(bytes);
  more.set(
    Uint8Array.from('LIST', (c) => c.charCodeAt(0)),
    bytes.length,
  );
  expect(await decodeBytes(more)).toBe(sound.length);
});

it('reads a WAV with an open length to its end', async () => {
  const sound = hiss(2, rate);
  const bytes = Uint8Array.from(await encoded('wav', [sound], rate));
  for (const size of [0, 0xff_ff_ff_ff, 0x7f_ff_f0_24]) {
    viewOf(bytes).setUint32(4, size, true);
    viewOf(bytes).setUint32(40, size, true);
    expect(await decodeBytes(bytes)).toBe(sound.length);
  }
});

it('reports input/not-audio for a WAV with zero bits per sample', async () => {
  const bytes = Uint8Array.from(await encoded('wav', [hiss(1, rate)], rate));
  viewOf(bytes).setUint16(34, 0, true);
  await expect(decodeBytes(bytes)).rejects.toMatchObject({ code: 'input/not-audio' });
});

it('decodes a WAV with a byte rate and a block align of 0', async () => {
  const bytes = Uint8Array.from(await encoded('wav', [hiss(1, rate)], rate));
  viewOf(bytes).setUint32(28, 0, true);
  viewOf(bytes).setUint16(32, 0, true);
  expect(await decodeBytes(bytes)).toBe(rate);
});

it('throws the file system error of a missing file', async () => {
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
