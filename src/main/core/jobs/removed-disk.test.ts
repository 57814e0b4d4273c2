import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { usePaidService } from './paid-service.fixture.ts';
import { sample, useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';
const mounted: string[] = [];

async function mount(at: string, ...what: readonly string[]): Promise<void> {
  await mkdir(at, { recursive: true });
  await run('mount', [...what, at]);
  mounted.push(at);
}

/** As when a disk is unplugged: open files keep it for themselves, its path is gone at once. */
async function unmount(at: string): Promise<void> {
  await run('umount', ['-l', at]);
  mounted.splice(mounted.indexOf(at), 1);
}

// Before the folder of the queue is removed: hooks run in the opposite order.
const queue = useTestQueue();
const { openService, speak } = usePaidService(queue);
afterEach(async () => {
  for (const at of mounted.toReversed()) await unmount(at);
});

const pauses = () => queue().breaker.list();
const isPaused = () =>
  expect
    .poll(pauses)
    .toMatchObject([{ connectionId: null, reason: 'disk', problem: { code: 'output/folder-missing' } }]);

describe.skipIf(!isRoot)('a disk that is taken away (needs Linux and root, to mount one)', () => {
  /** A disk at `media`, which can come back because it is also mounted elsewhere. */
  async function insertDisk() {
    const [disk, media] = [join(queue().folder, 'disk'), join(queue().folder, 'media')];
    await mount(disk, '-t', 'tmpfs', 'tmpfs');
    const insert = () => mount(media, '--bind', disk);
    await insert();
    return { media, insert, takeAway: () => unmount(media) };
  }

  it.each(['', 'out'])('during a paid call pauses the queue until it is back (folder “%s” on it)', async (name) => {
    const { media, insert, takeAway } = await insertDisk();
    const counts = await openService(async (step) => {
      if (step === 'paid') await takeAway();
      return false;
    });
    queue().request = { ...queue().request, outputFolder: join(media, name) };
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    queue().scheduler.start();
    await isPaused();
    expect(pauses()[0]?.problem?.facts).toMatchObject({ folder: join(media, name) });
    expect(queue().store.get(ids[0] ?? '')).toMatchObject({ state: 'converted' });
    expect(await readdir(media)).toEqual([]);
    await insert();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    expect(await readdir(join(media, name))).toEqual(['a, Low bronze.mp3']);
    expect(pauses()).toEqual([]);
    expect(counts).toMatchObject({ paid: 1, result: 1 });
  });

  it('during a download is not mistaken for a result that cannot be saved', async () => {
    const { media, insert, takeAway } = await insertDisk();
    const recording = await readFile(sample);
    let isFirst = true;
    const counts = await openService(async (step, response) => {
      if (step !== 'result' || !isFirst) return false;
      isFirst = false;
      response.writeHead(200, { 'content-length': recording.length });
      response.write(recording.subarray(0, 1000));
      await expect.poll(() => readdir(join(media, 'out'))).toHaveLength(1);
      await takeAway();
      response.end(recording.subarray(1000));
      return true;
    });
    queue().request = { ...queue().request, outputFolder: join(media, 'out') };
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    queue().scheduler.start();
    await isPaused();
    expect(await readdir(media)).toEqual([]);
    await insert();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    expect(await readdir(join(media, 'out'))).toEqual(['a, Low bronze.mp3']);
    expect(counts.paid).toBe(1);
  });

  it('and comes back under another device number is the same disk', async () => {
    const { media, takeAway } = await insertDisk();
    await openService(async (step) => {
      if (step === 'paid') await takeAway();
      return false;
    });
    queue().request = { ...queue().request, outputFolder: media };
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    queue().scheduler.start();
    await isPaused();
    await mount(media, '-t', 'tmpfs', 'tmpfs');
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
  });

  it('costs nothing: no other job for it is paid meanwhile, and no folder is made in its place', async () => {
    const { media, insert, takeAway } = await insertDisk();
    const counts = await openService(() => false);
    queue().request = { ...queue().request, outputFolder: join(media, 'out') };
    await queue().run([await queue().addFile('a.mp3')]);
    await takeAway();
    const { ids } = await queue().add([await queue().addFile('b.mp3')]);
    await isPaused();
    expect(await readdir(media)).toEqual([]);
    expect(counts.paid).toBe(1);
    await insert();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    expect(counts.paid).toBe(2);
  });

  it('while speech arrives in the paid reply pauses the queue, and the speech is saved once it is back', async () => {
    const { media, insert, takeAway } = await insertDisk();
    const recording = await readFile(sample);
    const counts = await openService(async (step, response) => {
      if (step !== 'paid') return false;
      await takeAway();
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(recording);
      return true;
    });
    queue().request = { ...queue().request, outputFolder: join(media, 'out') };
    const { id } = speak();
    queue().scheduler.start();
    await isPaused();
    expect(await readdir(media)).toEqual([]);
    await queue().reopen();
    queue().scheduler.start();
    await insert();
    expect(await settled(queue().store, [id])).toMatchObject([{ state: 'done' }]);
    const [name = ''] = await readdir(join(media, 'out'));
    expect(await readFile(join(media, 'out', name))).toEqual(recording);
    expect(counts.paid).toBe(1);
  });
});

describe('a folder that is moved away during a paid call', () => {
  it('is not made again: the queue pauses until it is back, also across a restart', async () => {
    const out = join(queue().folder, 'out');
    const counts = await openService(async (step) => {
      if (step === 'paid') await rename(out, `${out} elsewhere`);
      return false;
    });
    const { connection } = queue().request;
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    queue().scheduler.start();
    await isPaused();
    expect(await queue().outputs()).toEqual([]);
    await queue().reopen();
    expect(queue().request.connection).toEqual(connection);
    queue().scheduler.start();
    await isPaused();
    await rename(`${out} elsewhere`, out);
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    expect(await queue().outputs()).toEqual(['a, Low bronze.mp3']);
    expect(counts).toMatchObject({ paid: 1, result: 1 });
  });

  it('can be cancelled meanwhile', async () => {
    const out = join(queue().folder, 'out');
    await openService(async (step) => {
      if (step === 'paid') await rm(out, { recursive: true });
      return false;
    });
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    queue().scheduler.start();
    await isPaused();
    ids.forEach(queue().scheduler.cancel);
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'cancelled' }]);
    expect(await queue().outputs()).toEqual([]);
  });
});

describe('a folder for results that is gone', () => {
  it('is replaced by another one for all jobs that wait for it, without paying again', async () => {
    const { folder } = queue();
    const gone = join(folder, 'out');
    const limits = { ...queue().request.connection.document.limits, maxConcurrent: 1 };
    const counts = await openService(
      async (step) => {
        if (step === 'paid' && counts.paid === 2) await rm(gone, { recursive: true });
        return false;
      },
      { limits },
    );
    const { ids } = await queue().add(await Promise.all(['a.mp3', 'b.mp3', 'c.mp3'].map(queue().addFile)));
    queue().scheduler.start();
    await isPaused();
    // Which recording is checked first, and so sent first, is not determined.
    await expect
      .poll(() => ids.map((id) => queue().store.get(id)?.state).toSorted())
      .toEqual(['converted', 'done', 'queued']);
    await queue().scheduler.moveResults(join(folder, 'other'));
    const jobs = await settled(queue().store, ids);
    expect(jobs.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect([counts.paid, await readdir(join(folder, 'other'))]).toMatchObject([3, { length: 2 }]);
    expect(pauses()).toEqual([]);
  });

  it('is not replaced for results that go elsewhere, or while no folder is gone', async () => {
    await openService(() => false);
    const { store, scheduler, breaker, folder, addFile } = queue();
    const { ids } = await queue().add([await addFile('a.mp3')]);
    const target = () => store.get(ids[0] ?? '')?.target.folder;
    await scheduler.moveResults(join(folder, 'other'));
    expect(target()).toBe(join(folder, 'out'));
    const gone = { code: 'output/folder-missing', facts: { folder: join(folder, 'else') } } as const;
    breaker.pause({ connectionId: null, reason: 'disk', resumesAt: null, problem: gone });
    await scheduler.moveResults(join(folder, 'other'));
    expect(target()).toBe(join(folder, 'out'));
  });

  it('stays the folder of all results if the other one cannot be made', async () => {
    await openService(() => false);
    const { store, scheduler, breaker, folder, addFile } = queue();
    const { ids } = await queue().add([await addFile('a.mp3')]);
    const gone = { code: 'output/folder-missing', facts: { folder: join(folder, 'out') } } as const;
    breaker.pause({ connectionId: null, reason: 'disk', resumesAt: null, problem: gone });
    await writeFile(join(folder, 'file'), '');
    await expect(scheduler.moveResults(join(folder, 'file', 'other'))).rejects.toMatchObject({
      code: 'output/not-writable',
    });
    expect(store.get(ids[0] ?? '')?.target.folder).toBe(join(folder, 'out'));
    expect(pauses()).toMatchObject([{ reason: 'disk' }]);
    await scheduler.moveResults(join(folder, 'other'));
    expect(store.get(ids[0] ?? '')?.target.folder).toBe(join(folder, 'other'));
    expect(pauses()).toEqual([]);
  });

  it('is not replaced by one on the same missing disk, which would be made on the disk below', async () => {
    await openService(() => false);
    const { store, scheduler, breaker, folder, addFile } = queue();
    const { ids } = await queue().add([await addFile('a.mp3')]);
    const facts = { folder: join(folder, 'out'), mountPoint: folder };
    const gone = { code: 'output/folder-missing', facts } as const;
    breaker.pause({ connectionId: null, reason: 'disk', resumesAt: null, problem: gone });
    await scheduler.moveResults(join(folder, 'other'));
    expect(store.get(ids[0] ?? '')?.target.folder).toBe(join(folder, 'out'));
    expect(await readdir(folder)).not.toContain('other');
  });
});

describe('paid results that could not be saved', () => {
  it('are saved in another folder that is not there yet, with its subfolders, and the queue does not pause', async () => {
    const { folder } = queue();
    const blocked = join(folder, 'out', 'Low bronze');
    const counts = await openService(async (step) => {
      if (step === 'paid') await rm(blocked, { recursive: true }).then(() => writeFile(blocked, ''));
      return false;
    });
    queue().request = { ...queue().request, nameTemplate: '{voice}/{name}' };
    const { added, jobs } = await queue().run([await queue().addFile('a.mp3')]);
    expect(jobs).toMatchObject([{ state: 'failed', problem: { code: 'output/not-writable' } }]);
    await queue().scheduler.retryAllIn(added.ids, join(folder, 'other'));
    await expect.poll(() => [queue().store.get(added.ids[0] ?? '')?.state, pauses()]).toEqual(['done', []]);
    expect(await readdir(join(folder, 'other', 'Low bronze'))).toEqual(['a.mp3']);
    expect(counts.paid).toBe(1);
  });
});
