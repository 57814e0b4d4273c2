import { rm, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { createFileQueries } from './file-status.ts';
import { useLibrary } from './history-entries.fixture.ts';
import { findLargestResults } from './largest-results.ts';

const library = useLibrary();

const find = (signal = new AbortController().signal) =>
  findLargestResults(
    {
      database: library().database,
      store: library().store,
      fileQueries: createFileQueries({ clock: systemClock, platform: process.platform }),
    },
    signal,
  );

async function entry(id: string, bytes: number, name = `out/${id}.wav`) {
  const source = await library().write(`in/${id}.wav`, 'source');
  return library().done(id, source, await library().write(name, 'r'.repeat(bytes)));
}

it('lists the largest results first, with the space that is left on their disk', async () => {
  for (const [id, bytes] of [
    ['a', 20],
    ['b', 3000],
    ['c', 400],
  ] as const)
    await entry(id, bytes);
  const [disk, ...others] = await find();
  expect(others).toEqual([]);
  expect(disk?.results.map(({ name, folder, sizeBytes }) => [name, folder, sizeBytes])).toEqual([
    ['b.wav', library().at('out'), 3000],
    ['c.wav', library().at('out'), 400],
    ['a.wav', library().at('out'), 20],
  ]);
  expect(disk?.freeBytes).toBeGreaterThan(0);
});

it('names at most ten of a disk', async () => {
  for (let k = 1; k <= 12; k++) await entry(`r${k}`, k);
  expect((await find())[0]?.results.map(({ sizeBytes }) => sizeBytes)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
});

it('leaves out files that are gone or replaced, and names a file of two entries once', async () => {
  const gone = await entry('a', 50);
  const replaced = await entry('b', 40);
  await rm(gone.output?.path ?? '');
  await library().write('out/b.wav', 'another file');
  await entry('c', 30, 'out/shared.wav');
  const source = await library().write('in/d.wav', 'source');
  await library().done('d', source, library().at('out/shared.wav'));
  expect(replaced.output?.path).toBe(library().at('out/b.wav'));
  expect((await find()).flatMap(({ results }) => results.map(({ name }) => name))).toEqual(['shared.wav']);
});

it.runIf(process.platform === 'linux')('lists each disk by itself, the fullest first', async () => {
  await entry('a', 10);
  // A small file system that every Linux mounts.
  const shared = `/dev/shm/timbre-largest-${process.pid}.wav`;
  const source = await library().write('in/b.wav', 'source');
  try {
    await writeFile(shared, 'r'.repeat(20));
    await library().done('b', source, shared);
    const disks = await find();
    expect(disks.map(({ results }) => results.length)).toEqual([1, 1]);
    expect(disks.map(({ disk }) => disk)).toContain('/dev/shm');
    const free = disks.map(({ freeBytes }) => freeBytes);
    expect(free).toEqual(free.toSorted((one, other) => one - other));
  } finally {
    await rm(shared, { force: true });
  }
});

it('ends when it is aborted', async () => {
  await entry('a', 10);
  await expect(find(AbortSignal.abort(new Error('the window is closed')))).rejects.toThrow('the window is closed');
});
