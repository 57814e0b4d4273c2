import { DatabaseSync } from 'node:sqlite';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesPerColumn, type Waveform, waveformColumns } from '../../sound/waveform.ts';
import { hasBusyWorkers } from '../../sound/worker-pool.ts';
import { createSoundReader, type SoundReader } from '../../sound/sound-reader.ts';
import { fastClock } from './clock.fixture.ts';
import { systemClock } from './clock.ts';
import { createAttendedReads } from './files/attended-reads.ts';
import { canHang, mountHangingDisk } from './files/hung-disk.fixture.ts';
import { conversionJob, speechJob } from './jobs/job.fixture.ts';
import { soundOf } from './recorded-sound.ts';
import { wavBytes } from './scanner/scanner.fixture.ts';
import { createDrawWaveform, createWaveformCache, type DrawWaveform, type WaveformCache } from './waveforms.ts';

describe('waveform cache', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-folds-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const foldOf = (value: number): Waveform => ({
    columns: new Uint8Array(waveformColumns * bytesPerColumn).fill(value),
    durationSeconds: value,
    levelDb: value === 0 ? null : -value,
  });

  it('a waveform is restored after a restart, byte for byte', () => {
    const cache = createWaveformCache({ folder });
    cache.put('a', foldOf(7));
    cache.put('silence', foldOf(0));
    cache.stop();
    const next = createWaveformCache({ folder });
    expect(next.get('a')).toEqual(foldOf(7));
    expect(next.get('silence')).toEqual(foldOf(0));
    expect(next.get('b')).toBeUndefined();
    next.stop();
  });

  it('keeps a limited number, and drops the least recently used first', () => {
    const cache = createWaveformCache({ folder, most: 150 });
    for (let k = 1; k < 200; k += 1) {
      cache.put(`fold ${k}`, foldOf(k));
      expect(cache.get('fold 1')).toEqual(foldOf(1));
    }
    cache.put('fold 200', foldOf(200));
    const kept = Array.from({ length: 200 }, (_, k) => `fold ${k + 1}`).filter((name) => cache.get(name));
    expect(kept).toHaveLength(150);
    expect(kept).toContain('fold 1');
    expect(kept).not.toContain('fold 2');
    expect(kept).toContain('fold 200');
    cache.stop();
  });

  it('a cache that another process locks keeps its contents, and is used again after that', () => {
    const cache = createWaveformCache({ folder });
    cache.put('a', foldOf(1));
    const other = new DatabaseSync(join(folder, 'waveforms.db'));
    other.exec('BEGIN EXCLUSIVE');
    cache.put('b', foldOf(2));
    expect(cache.get('b')).toBeUndefined();
    other.exec('ROLLBACK');
    other.close();
    for (let call = 0; call < 50; call += 1) cache.get('b');
    cache.put('b', foldOf(2));
    expect([cache.get('a'), cache.get('b')]).toEqual([foldOf(1), foldOf(2)]);
    cache.stop();
  });

  it('a file that is not a cache is replaced, and an unwritable folder disables only the cache', async () => {
    await writeFile(join(folder, 'waveforms.db'), 'this is no database at all, whatever its name may say');
    const cache = createWaveformCache({ folder });
    cache.put('a', foldOf(1));
    expect(cache.get('a')).toEqual(foldOf(1));
    cache.stop();
    const nowhere = createWaveformCache({ folder: join(folder, 'waveforms.db', 'inside') });
    nowhere.put('a', foldOf(1));
    expect(nowhere.get('a')).toBeUndefined();
    nowhere.stop();
  });
});

describe('drawing a file', () => {
  const { signal } = new AbortController();
  let folder: string;
  let path: string;
  let soundReader: SoundReader;
  let cache: WaveformCache;
  let draw: DrawWaveform;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-draw-'));
    path = join(folder, 'a.wav');
    await writeFile(path, wavBytes(0.2));
    soundReader = createSoundReader({ workerUrl: new URL('../../sound/sound-worker.ts', import.meta.url) });
    cache = createWaveformCache({ folder });
    draw = createDrawWaveform({ soundReader, cache, reads: createAttendedReads(systemClock, process.platform) });
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

  it('a file that was drawn once is not read again', async () => {
    const sound = await recorded();
    const fold = await draw(sound, signal);
    await rm(path);
    expect(await draw(sound, signal)).toEqual(fold);
  });

  it('a file with an unknown hash is drawn once while it is unchanged', async () => {
    const sound = { ...(await recorded()), sha256: null };
    const fold = await draw(sound, signal);
    await soundReader.stop();
    expect(await draw(sound, signal)).toEqual(fold);
    await utimes(path, 0, 0);
    await expect(draw(sound, signal)).rejects.toMatchObject({ code: 'job/cancelled' });
    await rm(path);
    await expect(draw(sound, signal)).rejects.toMatchObject({ code: 'job/cancelled' });
  });

  it('a waveform drawn before its hash was known is found by the hash, even if another file has the name', async () => {
    const sound = await recorded();
    const fold = await draw({ ...sound, sha256: null }, signal);
    await writeOther();
    expect(await draw(sound, signal)).toEqual(fold);
    expect(await draw({ ...sound, sha256: null }, signal)).not.toEqual(fold);
  });

  it('another file under the name is drawn and cached as itself', async () => {
    const sound = await recorded();
    await writeOther();
    const fold = await draw(sound, signal);
    expect(cache.get(sound.sha256)).toBeUndefined();
    expect(cache.get(await hashOf(path))).toEqual(fold);
  });

  it('a file behind a link is cached too', async () => {
    const { sha256 } = await recorded();
    await symlink(path, join(folder, 'link.wav'));
    const fold = await draw({ path: join(folder, 'link.wav'), sha256: null }, signal);
    expect(cache.get(sha256)).toEqual(fold);
  });

  it.skipIf(!canHang)(
    'files on a disk that hangs keep no other from being drawn (skipped without root, FUSE and ntfs-3g)',
    async () => {
      const media = join(folder, 'media');
      const disk = await mountHangingDisk(join(folder, 'image'), media);
      try {
        const onDisk = Array.from({ length: 3 }, (_, k) => ({ path: join(media, `${k}.wav`), sha256: null }));
        for (const sound of onDisk) await copyFile(path, sound.path);
        draw = createDrawWaveform({ soundReader, cache, reads: createAttendedReads(fastClock(20), process.platform) });
        disk.hang();
        const drawn = Promise.allSettled(onDisk.map((sound) => draw(sound, signal)));
        expect(await draw({ path, sha256: null }, signal)).toHaveProperty('durationSeconds');
        expect(await drawn).toMatchObject(onDisk.map(() => ({ reason: { code: 'input/disk-silent' } })));
        disk.answer();
        await expect
          .poll(() => draw({ path: join(media, '0.wav'), sha256: null }, signal).catch(() => null))
          .not.toBe(null);
      } finally {
        await disk.remove();
      }
    },
  );

  it.skipIf(!canHang)(
    'a disk that hangs while a file is read keeps no other file from being drawn (skipped without root, FUSE and ntfs-3g)',
    async () => {
      const media = join(folder, 'media');
      const disk = await mountHangingDisk(join(folder, 'image'), media);
      try {
        const long = join(media, 'long.wav');
        await writeFile(long, wavBytes(60));
        await disk.uncache(long);
        draw = createDrawWaveform({
          soundReader,
          cache,
          reads: createAttendedReads(fastClock(20), process.platform),
        });
        const drawn = draw({ path: long, sha256: null }, signal);
        const silent = expect(drawn).rejects.toMatchObject({ code: 'input/disk-silent' });
        await expect.poll(hasBusyWorkers).toBe(true);
        disk.hang();
        await silent;
        expect(await draw({ path, sha256: null }, signal)).toHaveProperty('durationSeconds');
        disk.answer();
      } finally {
        await disk.remove();
      }
    },
  );
});

describe('the file to draw for a job', () => {
  const result = { state: 'done', output: { path: '/out/a.wav', method: 'link' } } as const;

  it('is its source once that was examined, and its result once the job is done', () => {
    expect(soundOf(conversionJob({ outputFormat: null }), 'source')).toBeUndefined();
    expect(soundOf(conversionJob(), 'source')?.path).toBe('/recordings/a.wav');
    expect(soundOf(conversionJob({ ...result, state: 'publishing' }), 'result')).toBeUndefined();
    expect(soundOf(conversionJob(result), 'result')?.path).toBe('/out/a.wav');
  });

  it('is no source for a text that was spoken', () => {
    expect(soundOf(speechJob(result), 'source')).toBeUndefined();
    expect(soundOf(speechJob(result), 'result')?.path).toBe('/out/a.wav');
  });
});
