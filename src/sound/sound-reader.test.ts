import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createSoundReader, type SoundReader } from './sound-reader.ts';
import { buzz, encoded, hiss, withFolder } from './sound.fixture.ts';

const readers: SoundReader[] = [];
const createReader = () => {
  const reader = createSoundReader({ workerUrl: new URL('./sound-worker.ts', import.meta.url) });
  readers.push(reader);
  return reader;
};
afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.stop())));

it('draws files in sequence, valid and invalid ones', async () => {
  const reader = createReader();
  await withFolder(async (folder) => {
    const good = join(folder, 'good.mp3');
    const bad = join(folder, 'bad.mp3');
    await writeFile(good, await encoded('mp3', [buzz(120, 2, 44_100)], 44_100));
    await writeFile(bad, 'a letter');
    const [first, second, third, fourth] = await Promise.allSettled([
      reader.readWaveform(good),
      reader.readWaveform(bad),
      reader.readWaveform(join(folder, 'none.wav')),
      reader.readWaveform(good),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { durationSeconds: 2 } });
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'input/not-audio' } });
    expect(third).toMatchObject({ status: 'rejected', reason: { code: 'input/missing' } });
    expect(fourth).toEqual(first);
  });
});

it('drops a file that is no longer needed while it is read', async () => {
  const reader = createReader();
  await withFolder(async (folder) => {
    const path = join(folder, 'long.wav');
    await writeFile(path, await encoded('wav', [hiss(60, 44_100)], 44_100));
    const controller = new AbortController();
    const dropped = reader.readWaveform(path, { signal: controller.signal });
    controller.abort(new Error('scrolled away'));
    await expect(dropped).rejects.toThrow('scrolled away');
    await expect(reader.readWaveform(path)).resolves.toMatchObject({ durationSeconds: 60 });
  });
});
