import { mkdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { createFileQueries, createFileStatuses, type EntryFile, resultOf, sourceOf } from './file-status.ts';
import { useLibrary } from './history-entries.fixture.ts';

const library = useLibrary();
const fileQueries = createFileQueries({ clock: systemClock, platform: 'linux' });
const { signal } = new AbortController();
const fileStatuses = createFileStatuses({ fileQueries, clock: systemClock });
const standing = async (file: EntryFile | null) => (await fileStatuses.of([file], signal))[0];

async function pair() {
  const source = await library().write('in/take.wav', 'the source');
  const result = await library().write('out/take.wav', 'the result');
  const job = await library().done('a', source, result);
  return { source: sourceOf(job) as EntryFile, result: resultOf(job) as EntryFile };
}

it('reports untouched files as there without reading them', async () => {
  const { source, result } = await pair();
  expect(await fileQueries.quickStatus(source)).toBe('there');
  expect(await fileQueries.quickStatus(result)).toBe('there');
  expect(await fileStatuses.of([source, null, result], signal)).toEqual(['there', null, 'there']);
});

it('reports a moved or deleted file as missing', async () => {
  const { source, result } = await pair();
  await rename(source.path, `${source.path}.old`);
  await rm(dirname(result.path), { recursive: true });
  expect(await fileStatuses.of([source, result], signal)).toEqual(['missing', 'missing']);
});

it('reports the file of an imported entry as missing if it never was here, also on a disk that is not mounted', async () => {
  const { result } = await pair();
  const imported = { ...result, path: '/media/nobody/stick/Timbre import/Elsewhere/take.wav' };
  const unseen = { ...imported, identity: { device: '0', inode: '0' } };
  const unnamed = { ...unseen, path: unseen.path.replace('take', 'x'.repeat(1000)) };
  expect(await fileStatuses.of([imported, unseen, unnamed], signal)).toEqual(['away', 'missing', 'missing']);
});

it('detects changed bytes by size, or by reading a file that was written to since', async () => {
  const { source, result } = await pair();
  await writeFile(source.path, 'something longer than it was');
  expect(await fileQueries.quickStatus(source)).toBe('changed');
  await writeFile(result.path, 'THE RESULT');
  const later = new Date(Date.now() + 60_000);
  await utimes(result.path, later, later);
  expect(await fileQueries.quickStatus(result)).toBe('doubtful');
  expect(await standing(result)).toBe('changed');
});

it('accepts a copy with the same bytes as the file', async () => {
  const { source, result } = await pair();
  for (const [path, text] of [
    [source.path, 'the source'],
    [result.path, 'the result'],
  ] as const) {
    await rm(path);
    await writeFile(`${path}.new`, 'so that the inode is another one');
    await writeFile(path, text);
  }
  expect(await fileStatuses.of([source, result], signal)).toEqual(['there', 'there']);
});

it('does not accept a folder or a link to other bytes', async () => {
  const { source, result } = await pair();
  await rm(source.path);
  await mkdir(source.path);
  await rm(result.path);
  const other = await library().write('other.wav', 'THE RESULT');
  // Later than the result was finished: its inode may be the one that was just set free.
  const later = new Date(Date.now() + 60_000);
  await utimes(other, later, later);
  await symlink(other, result.path);
  expect(await fileStatuses.of([source, result], signal)).toEqual(['changed', 'changed']);
});

const on = (path: string, device = '1'): EntryFile => ({
  path,
  name: 'a.wav',
  sizeBytes: 1,
  sha256: null,
  identity: { device, inode: '1' },
  modifiedNs: null,
  finishedAt: null,
});

it.each([
  '/media/anna/stick/a.wav',
  '/run/media/anna/stick/x/a.wav',
  '/mnt/no-such-disk/a.wav',
  '/Volumes/Stick/a.wav',
])('reports that the disk of %s is not mounted', async (path) => {
  expect(await fileQueries.quickStatus(on(path))).toBe('away');
});

it('distinguishes the mount point of a missing disk from a folder that lost its files', async () => {
  const place = library().at('nas');
  await mkdir(place, { recursive: true });
  const { dev } = await stat(place, { bigint: true });
  const path = `${place}/year/a.wav`;
  expect(await fileQueries.quickStatus(on(path, 'another'))).toBe('away');
  expect(await fileQueries.quickStatus(on(path, String(dev)))).toBe('missing');
  await writeFile(`${place}/note.txt`, '');
  expect(await fileQueries.quickStatus(on(path, 'another'))).toBe('missing');
});
