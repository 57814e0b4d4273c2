import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSoundWriter } from '../sound/encode-sound.ts';
import type { SoundWriter } from '../sound/sound-writer.ts';
import { outputFormats } from '../sound/sound-format.ts';
import { buzz, withFolder } from '../sound/sound.fixture.ts';
import { createThreadedEncoder } from './threaded-encoder.ts';

const workerUrl = new URL('./encode-worker.ts', import.meta.url);
const rate = 44_100;
const options = { format: 'mp3', sampleRate: rate, channels: 1 } as const;

async function writeBlocks(writer: SoundWriter, sound: Float32Array): Promise<void> {
  for (let at = 0; at < sound.length; at += 1024) await writer.write([sound.slice(at, at + 1024)]);
  await writer.finish();
}

it.each(outputFormats)('writes the same %s bytes as the encoder on this thread, file after file', async (format) => {
  const sound = buzz(150, 3, rate);
  const encoder = createThreadedEncoder(workerUrl);
  await withFolder(async (folder) => {
    const wanted = join(folder, 'wanted');
    await writeBlocks(await createSoundWriter(wanted, { ...options, format }), sound);
    for (const name of ['a', 'b']) {
      await writeBlocks(await encoder.open(join(folder, name), { ...options, format }), sound);
      expect((await readFile(join(folder, name))).equals(await readFile(wanted))).toBe(true);
    }
  });
});

it('passes on why a file cannot be written, and writes the next one', async () => {
  const encoder = createThreadedEncoder(workerUrl);
  await withFolder(async (folder) => {
    const fail = async () => {
      const writer = await encoder.open(join(folder, 'none', 'x.mp3'), options);
      await writer.write([buzz(150, 5, rate)]);
      await writer.finish();
    };
    await expect(fail()).rejects.toThrow(/ENOENT/);
    const writer = await encoder.open(join(folder, 'x.ogg'), { ...options, format: 'ogg' });
    await writer.write([buzz(150, 1, rate)]);
    await writer.finish();
    expect((await readFile(join(folder, 'x.ogg'))).length).toBeGreaterThan(1000);
  });
});

it('fails the file whose thread died, and starts another for the next one', async () => {
  const mortal = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ kind }) => (kind === 'write' ? process.exit(4) : parentPort.postMessage({ ok: true })));
    `)}`,
  );
  const encoder = createThreadedEncoder(mortal);
  const writer = await encoder.open('x', options);
  await writer.write([new Float32Array(10)]);
  await expect(writer.finish()).rejects.toThrow(/ended with 4/);
  await expect((await encoder.open('y', options)).finish()).resolves.toBeUndefined();
});
