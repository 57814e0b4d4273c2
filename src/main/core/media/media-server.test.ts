import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fastClock } from '../clock.fixture.ts';
import { canHang, type HangingDisk, mountHangingDisk } from '../files/hung-disk.fixture.ts';
import { createServeMedia, type ServeMedia } from './media-server.ts';

describe.skipIf(!canHang)('a disk of sounds that hangs (skipped without root, FUSE and ntfs-3g)', () => {
  const bytes = Buffer.alloc(16 * 1024 ** 2, 7);
  let folder: string;
  let disk: HangingDisk;
  let onDisk: string;
  let elsewhere: string;
  let serve: ServeMedia;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-media-'));
    disk = await mountHangingDisk(join(folder, 'image'), join(folder, 'media'));
    elsewhere = join(folder, 'sound.wav');
    onDisk = join(folder, 'media', 'sound.wav');
    await writeFile(elsewhere, bytes);
    await copyFile(elsewhere, onDisk);
    serve = createServeMedia(fastClock(20));
  });
  afterEach(async () => {
    await disk.remove();
    await rm(folder, { recursive: true });
  });

  const request = () => new Request('app://timbre/media/a/result');
  const played = async (path: string) => (await (await serve(path, request())).arrayBuffer()).byteLength;

  it('answers 404 for its sounds, keeps no other from being played, and is played from once it answers', async () => {
    disk.hang();
    const waiting = serve(onDisk, request());
    expect(await played(elsewhere)).toBe(bytes.length);
    expect((await waiting).status).toBe(404);
    expect((await serve(onDisk, request())).status).toBe(404);
    disk.answer();
    await expect.poll(() => played(onDisk)).toBe(bytes.length);
  });

  it('ends a sound that is playing with an error', async () => {
    await disk.uncache(onDisk);
    const { body } = await serve(onDisk, request());
    const reader = body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    disk.hang();
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow('the disk does not answer');
    disk.answer();
  });
});
