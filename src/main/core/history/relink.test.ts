import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import type { Job } from '../jobs/job.ts';
import { fileOf, type EntryFile, type WhichFile } from './file-status.ts';
import { findByContent, updatePath, maxNamesNearby, placesNearby } from './relink.ts';
import { useLibrary } from './history-entries.fixture.ts';

const library = useLibrary();
const { signal } = new AbortController();
const nowhere = () => false;

const file = (job: Job, which: WhichFile): EntryFile => fileOf(job, which) ?? expect.unreachable('no such file');
async function nearby(wanted: EntryFile, isTaken: (path: string) => boolean = nowhere) {
  const order = { places: placesNearby(wanted.path), signal, maxNames: maxNamesNearby, isTaken };
  return (await findByContent([wanted], order)).found.get(wanted)?.path;
}

async function entry(id = 'a', name = id) {
  const source = await library().write(`work/in/${name}.wav`, `source of ${name}`);
  const result = await library().write(`work/out/${name}.wav`, `result of ${name}`);
  return library().done(id, source, result);
}

it.each([
  ['under another name', 'work/out/renamed.wav'],
  ['in a folder of its folder', 'work/out/sub/a.wav'],
  ['in the folder above', 'work/a.wav'],
  ['in a folder beside it', 'work/old/a.wav'],
])('finds a file %s', async (_, name) => {
  const wanted = file(await entry(), 'result');
  const now = library().at(name);
  await mkdir(dirname(now), { recursive: true });
  await rename(wanted.path, now);
  expect(await nearby(wanted)).toBe(now);
});

it('finds a file whose folder was renamed', async () => {
  const wanted = file(await entry(), 'source');
  await rename(library().at('work/in'), library().at('work/recordings'));
  expect(await nearby(wanted)).toBe(library().at('work/recordings/a.wav'));
});

it('does not accept other bytes of the same size, a link, or the file of another entry', async () => {
  const wanted = file(await entry(), 'result');
  await rm(wanted.path);
  await library().write('work/out/other.wav', 'RESULT OF A');
  const copy = await library().write('elsewhere/far/away/a.wav', 'result of a');
  await symlink(copy, library().at('work/out/link.wav'));
  await symlink(dirname(copy), library().at('work/out/folder'));
  expect(await nearby(wanted)).toBeUndefined();
  const another = await library().write('work/out/another.wav', 'result of a');
  expect(await nearby(wanted, (path) => path === another)).toBeUndefined();
  expect(await nearby(wanted)).toBe(another);
});

it('prefers the same inode, then the same name, if several files have the bytes', async () => {
  const wanted = file(await entry(), 'result');
  await library().write('work/copies/1.wav', 'result of a');
  await library().write('work/copies/a.wav', 'result of a');
  await rename(wanted.path, library().at('work/out/zz.wav'));
  expect(await nearby(wanted)).toBe(library().at('work/out/zz.wav'));
  await rm(library().at('work/out/zz.wav'));
  expect(await nearby(wanted)).toBe(library().at('work/copies/a.wav'));
});

it('searches a folder that the user chooses at any depth, and accepts a chosen file', async () => {
  const wanted = file(await entry(), 'result');
  const deep = library().at('1/2/3/4/5/b.wav');
  await mkdir(dirname(deep), { recursive: true });
  await rename(wanted.path, deep);
  const search = { signal, maxNames: Infinity, isTaken: nowhere };
  for (const path of [library().at('1'), deep]) {
    const { found } = await findByContent([wanted], { ...search, places: [{ path, depth: Infinity }] });
    expect(found.get(wanted)?.path).toBe(deep);
  }
});

it('accepts a recording that was never hashed only if its inode and times are unchanged', async () => {
  const path = await library().write('work/in/a.wav', 'source');
  const result = await library().write('work/out/a.wav', 'result');
  const job = await library().done('a', path, result, { sourceSha256: null });
  const wanted = file(job, 'source');
  await rename(path, library().at('work/in/b.wav'));
  expect(await nearby(wanted)).toBe(library().at('work/in/b.wav'));
  await rm(library().at('work/in/b.wav'));
  await library().write('work/in/c.wav', 'source');
  expect(await nearby(wanted)).toBeUndefined();
});

it('does not relink another recording that had the name and size of one that was never hashed', async () => {
  const { database, store, write, at } = library();
  const result = await write('work/out/a.wav', 'result');
  const path = await write('work/in/a.wav', 'take 1');
  await library().done('first', path, result, { sourceSha256: null });
  await rename(await write('work/new.wav', 'take 2'), path);
  const job = await library().done('second', path, result, { sourceSha256: null });
  await library().done('same', path, result, { sourceSha256: null });
  const wanted = file(job, 'source');
  await rename(path, at('work/in/b.wav'));
  const order = { places: placesNearby(path), signal, maxNames: 99, isTaken: nowhere };
  const place = (await findByContent([wanted], order)).found.get(wanted) ?? expect.unreachable('not found');
  expect(updatePath(database, 'source', wanted, place)).toEqual(['second', 'same']);
  expect(file(store.get('first') as Job, 'source').path).toBe(path);
});

it('stops when it is aborted', async () => {
  const wanted = file(await entry(), 'result');
  await rm(wanted.path);
  const aborted = AbortSignal.abort(new Error('no longer'));
  const order = { places: placesNearby(wanted.path), signal: aborted, maxNames: 10, isTaken: nowhere };
  await expect(findByContent([wanted], order)).rejects.toThrow('no longer');
});

it('relinks every entry with the same bytes at that path, and no other', async () => {
  const { database, store } = library();
  const a = await entry();
  await library().done('twin', file(a, 'source').path, file(a, 'result').path);
  await entry('b');
  const seen = store.get('a')?.revision ?? 0;
  for (const which of ['source', 'result'] as const) {
    const wanted = file(a, which);
    const path = library().at(`work/${which}-now.wav`);
    await rename(wanted.path, path);
    const place = (
      await findByContent([wanted], { places: placesNearby(wanted.path), signal, maxNames: 99, isTaken: nowhere })
    ).found.get(wanted);
    expect(updatePath(database, which, wanted, place ?? expect.unreachable('not found'))).toEqual(['a', 'twin']);
    for (const id of ['a', 'twin']) {
      const job = store.get(id) as Job;
      expect(file(job, which)).toEqual({
        ...wanted,
        path,
        name: `${which}-now.wav`,
        finishedAt: file(job, which).finishedAt,
      });
    }
  }
  expect(store.get('a')?.revision).toBe(seen + 2);
  expect(file(store.get('b') as Job, 'result').path).toBe(library().at('work/out/b.wav'));
  const { source_path: path } = database.prepare("SELECT source_path FROM job WHERE id = 'a'").get() ?? {};
  expect(path).toBe(library().at('work/source-now.wav'));
});
