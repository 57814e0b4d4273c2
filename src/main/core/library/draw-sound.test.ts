import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSoundReader, type SoundReader } from '../../../sound/sound-reader.ts';
import { wavBytes } from '../watch/eyes/test-eyes.ts';
import { createDrawSound, type DrawSound } from './draw-sound.ts';
import { createFoldCache, type FoldCache } from './fold-cache.ts';

const { signal } = new AbortController();
let folder: string;
let path: string;
let soundReader: SoundReader;
let cache: FoldCache;
let draw: DrawSound;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-draw-'));
  path = join(folder, 'a.wav');
  await writeFile(path, wavBytes(0.2));
  soundReader = createSoundReader({ workerUrl: new URL('../../../sound/sound-worker.ts', import.meta.url) });
  cache = createFoldCache({ folder });
  draw = createDrawSound({ soundReader, cache });
});
afterEach(async () => {
  await soundReader.stop();
  cache.stop();
  await rm(folder, { recursive: true });
});

async function recorded() {
  const { size, mtimeNs } = await stat(path, { bigint: true });
  return { path, sha256: 'of a', sizeBytes: Number(size), modifiedNs: String(mtimeNs) };
}

it('a sound that was drawn once is drawn without its file', async () => {
  const sound = await recorded();
  const fold = await draw(sound, signal);
  await rm(path);
  expect(await draw(sound, signal)).toEqual(fold);
});

it('a sound whose bytes nobody knows yet is drawn from its file each time', async () => {
  const sound = { ...(await recorded()), sha256: null };
  await draw(sound, signal);
  await rm(path);
  await expect(draw(sound, signal)).rejects.toMatchObject({ code: 'input/missing' });
});

it('what lies there in its place is drawn, and never kept as the one that was recorded', async () => {
  const sound = await recorded();
  await writeFile(path, wavBytes(0.4));
  expect((await draw(sound, signal)).durationSeconds).toBeCloseTo(0.4);
  expect(cache.get('of a')).toBeUndefined();
});
