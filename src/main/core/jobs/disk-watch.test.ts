import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { canHang, mountHangingDisk } from '../files/hung-disk.fixture.ts';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';
import { createDiskWatch } from './disk-watch.ts';

describe('disk watch', () => {
  let folder: string;
  let database: DatabaseSync;
  let writes: WriteGate;
  let breaker: CircuitBreaker;
  let watch: ReturnType<typeof createDiskWatch>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-disk-'));
    database = await openDatabase(folder);
    writes = createWriteGate({ database, clock: systemClock, onDefect: expect.unreachable });
    breaker = createCircuitBreaker({ database, clock: systemClock, writes }, () => true);
    watch = createDiskWatch({ breaker, clock: systemClock, onDefect: expect.unreachable });
  });
  afterEach(async () => {
    watch.stop();
    writes.stop();
    database.close();
    await rm(folder, { recursive: true });
  });

  const pauseDisk = (facts: Readonly<Record<string, string | number>>) =>
    breaker.pause({
      connectionId: null,
      reason: 'disk',
      resumesAt: Date.now() - 1,
      problem: { code: 'output/disk-full', facts },
    });
  const diskPause = () => breaker.find(null, 'disk');
  const secondsLeft = () => ((diskPause()?.resumesAt ?? 0) - Date.now()) / 1000;

  it('ends the pause of a disk that has space again, also one that expired before the watch began', async () => {
    pauseDisk({ folder, neededBytes: 1 });
    watch.start();
    await expect.poll(diskPause).toBeUndefined();
  });

  it('checks a disk that is still full again after two seconds', async () => {
    pauseDisk({ folder, neededBytes: 2 ** 60 });
    watch.start();
    await expect.poll(secondsLeft).toBeGreaterThan(1);
    expect(secondsLeft()).toBeLessThanOrEqual(2);
  });

  it('ends the pause of a disk that answers again, also where the folder was never made, but not where it is gone', async () => {
    const pauseFolder = (facts: Readonly<Record<string, string>>) =>
      breaker.pause({
        connectionId: null,
        reason: 'disk',
        resumesAt: Date.now() - 1,
        problem: { code: 'output/folder-missing', facts: { folder: join(folder, 'none'), ...facts } },
      });
    pauseFolder({});
    watch.start();
    await expect.poll(secondsLeft).toBeGreaterThan(1);
    pauseFolder({ reason: 'ETIMEDOUT' });
    await expect.poll(diskPause).toBeUndefined();
    // Not on the disk below, where nothing is mounted.
    pauseFolder({ reason: 'ETIMEDOUT', mountPoint: folder });
    await expect.poll(secondsLeft).toBeGreaterThan(1);
  });

  it('ends the pause of an unknown disk, and still checks the one after it', async () => {
    breaker.pause({ connectionId: null, reason: 'disk', resumesAt: Date.now() - 1, problem: null });
    watch.start();
    await expect.poll(diskPause).toBeUndefined();
    pauseDisk({ folder, neededBytes: 1 });
    await expect.poll(diskPause).toBeUndefined();
  });

  it.skipIf(!canHang)('checks the next disk while one hangs (skipped without root, FUSE and ntfs-3g)', async () => {
    const media = join(folder, 'media');
    const disk = await mountHangingDisk(join(folder, 'image'), media);
    try {
      disk.hang();
      const problem = { code: 'output/folder-missing', facts: { folder: media, reason: 'ETIMEDOUT' } } as const;
      breaker.pause({ connectionId: null, reason: 'disk', resumesAt: Date.now() - 1, problem });
      watch.start();
      await nextTurn();
      breaker.resume(null, ['disk']);
      pauseDisk({ folder, neededBytes: 1 });
      await expect.poll(diskPause).toBeUndefined();
    } finally {
      await disk.remove();
    }
  });

  it('treats a quota as used up until the required size can be written, whatever the disk reports as free', async () => {
    pauseDisk({ folder: join(folder, 'missing'), neededBytes: 1, reason: 'EDQUOT' });
    watch.start();
    await expect.poll(secondsLeft).toBeGreaterThan(20);
    await mkdir(join(folder, 'out'));
    breaker.resume(null, ['disk']);
    pauseDisk({ folder: join(folder, 'out'), neededBytes: 3_000_000, reason: 'EDQUOT' });
    await expect.poll(diskPause).toBeUndefined();
    expect(await readdir(join(folder, 'out'))).toEqual([]);
  });

  it('changes nothing after it is stopped, and does not restore a pause that the user ended meanwhile', async () => {
    pauseDisk({ folder, neededBytes: 2 ** 60 });
    watch.start();
    breaker.resume(null, ['disk']);
    await expect.poll(diskPause).toBeUndefined();
    pauseDisk({ folder, neededBytes: 2 ** 60 });
    watch.stop();
    const { resumesAt } = diskPause() ?? {};
    await systemClock.sleep(100);
    expect(diskPause()?.resumesAt).toBe(resumesAt);
  });
});
