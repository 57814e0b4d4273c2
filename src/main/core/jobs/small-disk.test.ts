import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { sample, useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';
const recording = join(dirname(sample), 'harbour.wav');
let disk: string | undefined;

// Before the folder of the queue is removed: hooks run in the opposite order.
const queue = useTestQueue();
afterEach(async () => {
  if (disk) await run('umount', ['-l', disk]);
  disk = undefined;
});

/** Adds recordings whose results go to a new disk of this size. */
async function addForDisk(size: string, count: number): Promise<readonly string[]> {
  const at = join(queue().folder, 'disk');
  await mkdir(at);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', at]);
  disk = at;
  queue().request = { ...queue().request, outputFolder: at };
  const paths = Array.from({ length: count }, (_, index) => join(queue().folder, `${index}.wav`));
  await Promise.all(paths.map((path) => copyFile(recording, path)));
  return (await queue().add(paths)).ids;
}

// 1.35 MB is reserved for each result, and 0.6 MB used.
describe.skipIf(!isRoot)('a disk that has room for one job at a time (needs Linux and root, to mount one)', () => {
  it('takes one result after the other, without a pause', async () => {
    const ids = await addForDisk('2200k', 2);
    let paused = 0;
    queue().breaker.onChanged((pauses) => (paused += pauses.length));
    queue().scheduler.start();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(paused).toBe(0);
  });

  it('takes what fits before it pauses the queue, and then stays paused', async () => {
    const ids = await addForDisk('1800k', 3);
    queue().scheduler.start();
    const pauses = () => queue().breaker.list();
    await expect.poll(pauses).toMatchObject([{ reason: 'disk', problem: { code: 'output/disk-full' } }]);
    expect(await readdir(disk ?? '')).toHaveLength(1);
    const [pause] = pauses();
    // The disk was checked again.
    await expect.poll(() => pauses()[0]?.tries).toBe(1);
    expect(pauses()).toMatchObject([{ since: pause?.since }]);
    ids.forEach(queue().scheduler.cancel);
    await settled(queue().store, ids);
  });
});
