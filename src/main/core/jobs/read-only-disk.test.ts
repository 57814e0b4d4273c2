import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usePaidService } from './paid-service.fixture.ts';
import { useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

// Before the folder of the queue is removed: hooks run in the opposite order.
const queue = useTestQueue();
const { openService, speak } = usePaidService(queue);
let disk: string;

const pauses = () => queue().breaker.list();
const remount = (how: 'ro' | 'rw') => run('mount', ['-o', `remount,${how}`, disk]);

describe.skipIf(!isRoot)('a disk that becomes read-only (needs Linux and root, to mount one)', () => {
  beforeEach(async () => {
    disk = join(queue().folder, 'disk');
    await mkdir(disk);
    await run('mount', ['-t', 'tmpfs', 'tmpfs', disk]);
  });
  afterEach(() => run('umount', ['-l', disk]));

  const isPaused = () =>
    expect
      .poll(pauses)
      .toMatchObject([{ reason: 'disk', problem: { code: 'output/not-writable', facts: { folder: disk } } }]);

  /** Adds recordings, one after the other, to a service at whose step the disk becomes read-only. */
  async function start(when: 'upload' | 'paid') {
    let isFirst = true;
    const limits = { ...queue().request.connection.document.limits, maxConcurrent: 1 };
    const counts = await openService(
      async (step) => {
        if (step === when && isFirst) {
          isFirst = false;
          await remount('ro');
        }
        return false;
      },
      { limits },
    );
    queue().request = { ...queue().request, outputFolder: disk };
    const { ids } = await queue().add(await Promise.all(['a.mp3', 'b.mp3', 'c.mp3'].map(queue().addFile)));
    queue().scheduler.start();
    return { ids, counts };
  }

  it.each(['upload', 'paid'] as const)('at the %s pauses the queue until it can be written', async (when) => {
    const { ids, counts } = await start(when);
    await isPaused();
    expect(counts.paid).toBe(when === 'paid' ? 1 : 0);
    await remount('rw');
    expect((await settled(queue().store, ids)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect([(await readdir(disk)).length, counts.paid, pauses()]).toEqual([3, 3, []]);
  });

  it.each(['is there', 'is to be made'])('pauses the queue also for another folder that %s', async (which) => {
    const counts = await openService(() => false);
    const convert = async (name: string) => {
      queue().request = { ...queue().request, outputFolder: join(disk, name) };
      return (await queue().add([await queue().addFile(`${name}.mp3`)])).ids;
    };
    if (which === 'is there') await mkdir(join(disk, 'second'));
    queue().scheduler.start();
    await settled(queue().store, await convert('first'));
    await remount('ro');
    const ids = await convert('second');
    await expect.poll(pauses).toMatchObject([{ reason: 'disk', problem: { code: 'output/not-writable' } }]);
    expect(counts.paid).toBe(1);
    await remount('rw');
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    expect([counts.paid, pauses()]).toEqual([2, []]);
  });

  it('fails only the jobs for a part of it that is mounted read-only', async () => {
    const counts = await openService(() => false);
    const part = join(disk, 'part');
    await mkdir(part);
    await run('mount', ['--bind', part, part]);
    await run('mount', ['-o', 'remount,bind,ro', part]);
    queue().scheduler.start();
    const states: string[] = [];
    for (const outputFolder of [disk, part, disk]) {
      queue().request = { ...queue().request, outputFolder };
      const jobs = await settled(queue().store, [speak().id]);
      states.push(...jobs.map(({ state }) => state));
    }
    await run('umount', ['-l', part]);
    expect([states, pauses(), counts.paid]).toEqual([['done', 'failed', 'done'], [], 2]);
  });

  it('can be given up for another folder, where what is paid for is saved', async () => {
    const { ids, counts } = await start('paid');
    await isPaused();
    await queue().scheduler.moveResults(join(queue().folder, 'other'));
    expect((await settled(queue().store, ids)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect([(await readdir(join(queue().folder, 'other'))).length, counts.paid]).toEqual([3, 3]);
  });

  it('before the first result fails the jobs, which nothing was paid for', async () => {
    const counts = await openService(() => false);
    queue().request = { ...queue().request, outputFolder: disk };
    await remount('ro');
    const { id } = speak();
    queue().scheduler.start();
    expect(await settled(queue().store, [id])).toMatchObject([
      { state: 'failed', problem: { code: 'output/not-writable' } },
    ]);
    expect([counts.paid, pauses()]).toEqual([0, []]);
  });
});
