import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
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

const hashOf = async (at: string) =>
  createHash('sha256')
    .update(await readFile(at))
    .digest('hex');

/** The file as it is now. */
const recorded = async () => ({ path, sha256: await hashOf(path) });

/** Another sound of the same length. */
async function writeOther(): Promise<void> {
  const bytes = Buffer.from(wavBytes(0.2));
  bytes.fill(3, 100, 1000);
  await rm(path);
  await writeFile(path, bytes);
}

it('a sound that was drawn once is drawn without its file', async () => {
  const sound = await recorded();
  const fold = await draw(sound, signal);
  await rm(path);
  expect(await draw(sound, signal)).toEqual(fold);
});

it('a sound whose bytes nobody knows yet is drawn once, as long as its file stays as it is', async () => {
  const sound = { ...(await recorded()), sha256: null };
  const fold = await draw(sound, signal);
  await soundReader.stop();
  expect(await draw(sound, signal)).toEqual(fold);
  await utimes(path, 0, 0);
  await expect(draw(sound, signal)).rejects.toMatchObject({ code: 'job/cancelled' });
  await rm(path);
  await expect(draw(sound, signal)).rejects.toMatchObject({ code: 'job/cancelled' });
});

it('a sound that was drawn before anybody knew its bytes is drawn by them later, when another has its name', async () => {
  const sound = await recorded();
  const fold = await draw({ ...sound, sha256: null }, signal);
  await writeOther();
  expect(await draw(sound, signal)).toEqual(fold);
  expect(await draw({ ...sound, sha256: null }, signal)).not.toEqual(fold);
});

it('what lies there in its place is drawn, and kept as what it is', async () => {
  const sound = await recorded();
  await writeOther();
  const fold = await draw(sound, signal);
  expect(cache.get(sound.sha256)).toBeUndefined();
  expect(cache.get(await hashOf(path))).toEqual(fold);
});

it('a sound behind a link is kept, too', async () => {
  const { sha256 } = await recorded();
  await symlink(path, join(folder, 'link.wav'));
  const fold = await draw({ path: join(folder, 'link.wav'), sha256: null }, signal);
  expect(cache.get(sha256)).toEqual(fold);
});
