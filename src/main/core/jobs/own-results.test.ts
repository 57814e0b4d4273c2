import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createOwnResults } from './own-results.ts';
import { sample, useTestQueue } from './queue.fixture.ts';

const queue = useTestQueue();

/** Converts recordings with their results beside them, and returns the folder. */
async function convertBeside(...names: readonly string[]): Promise<string> {
  queue().request = { ...queue().request, outputFolder: null };
  for (const name of names) await queue().addFile(`in/${name}`);
  const folder = join(queue().folder, 'in');
  await queue().run([folder]);
  return folder;
}

const sourcesOf = (ids: readonly string[]) =>
  ids.map((id) => {
    const job = queue().store.get(id);
    return job?.kind === 'conversion' && job.source.path.slice(queue().folder.length + 1);
  });

it('results that lie beside their originals are left out of a folder and counted as ignored', async () => {
  const folder = await convertBeside('a.mp3', 'deep/b.mp3');
  const { ids, ...counts } = await queue().add([folder]);
  expect(sourcesOf(ids)).toEqual(['in/a.mp3', 'in/deep/b.mp3']);
  expect(counts).toMatchObject({ added: 2, refused: 0, ignored: 2, withoutPath: 0 });
});

it('a result is known under a link to its folder, and after a copy back from a backup', async () => {
  const folder = await convertBeside('a.mp3');
  const result = join(folder, 'a, Low bronze.mp3');
  await rename(result, join(queue().folder, 'backup.mp3'));
  await copyFile(join(queue().folder, 'backup.mp3'), result);
  await symlink(folder, join(queue().folder, 'link'));
  const { ids, ignored } = await queue().add([join(queue().folder, 'link')]);
  expect([sourcesOf(ids), ignored]).toEqual([['link/a.mp3'], 1]);
});

it('a result that is named itself is converted', async () => {
  const folder = await convertBeside('a.mp3');
  const { ids } = await queue().add([join(folder, 'a, Low bronze.mp3')]);
  expect(sourcesOf(ids)).toEqual(['in/a, Low bronze.mp3']);
});

it('a recording that has taken the name of a result, or was edited in its place, is converted', async () => {
  const folder = await convertBeside('a.mp3', 'b.mp3');
  const [first, second] = [join(folder, 'a, Low bronze.mp3'), join(folder, 'b, Low bronze.mp3')];
  await copyFile(sample, first);
  const { length } = await readFile(second);
  const later = new Date(Date.now() + 60_000);
  await truncate(second, 0);
  await writeFile(second, Buffer.alloc(length, 1));
  await utimes(second, later, later);
  const { ids, ignored } = await queue().add([folder]);
  expect(sourcesOf(ids).sort()).toEqual(['in/a, Low bronze.mp3', 'in/a.mp3', 'in/b, Low bronze.mp3', 'in/b.mp3']);
  expect(ignored).toBe(0);
});

it('a result that the user’s program may be changing, or has changed, is no recording', async () => {
  const folder = await convertBeside('a.mp3', 'b.mp3', 'c.mp3');
  const database = new DatabaseSync(join(queue().folder, 'data/timbre.db'));
  const idOf = (name: string) =>
    database.prepare('SELECT id FROM job WHERE source_path = ?').get(join(folder, name))?.['id'];
  const insertRun = database.prepare('INSERT INTO hook_run (job, owner, starts, problem) VALUES (?, ?, 1, ?)');
  insertRun.run(String(idOf('a.mp3')), 'app', null);
  insertRun.run(String(idOf('c.mp3')), 'app', '{"code":"hook/failed"}');
  for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}, Low bronze.mp3`), `changed ${name}`);
  const hash = createHash('sha256').update('changed b').digest('hex');
  database.prepare('INSERT INTO hook_output VALUES (?, ?, 9)').run(String(idOf('b.mp3')), hash);
  const [ofA, ofB, ofC] = ['a', 'b', 'c'].map((name) => join(folder, `${name}, Low bronze.mp3`)) as [
    string,
    string,
    string,
  ];
  const { isAt, isAwaitingHook, hasContent, hasSize } = createOwnResults(database);
  const { signal } = new AbortController();
  expect([await isAt(ofA, signal), await isAt(ofB, signal), await isAt(ofC, signal)]).toEqual([true, true, false]);
  expect([isAwaitingHook(ofA), isAwaitingHook(ofB)]).toEqual([true, false]);
  expect([hasContent(hash), hasSize(9), hasSize(10)]).toEqual([true, true, false]);
  const { ids } = await queue().submitJobs.addMissing([folder], queue().request, signal);
  database.close();
  expect(sourcesOf(ids).sort()).toEqual(['in/c, Low bronze.mp3', 'in/c.mp3']);
});

it('results in a folder are known by their content wherever they were moved or copied to, under any name', async () => {
  const folder = await convertBeside('a.mp3');
  const moved = join(queue().folder, 'moved');
  await mkdir(moved);
  await rename(join(folder, 'a, Low bronze.mp3'), join(moved, 'x.mp3'));
  await copyFile(join(moved, 'x.mp3'), join(moved, 'y.mp3'));
  expect(await queue().add([moved])).toMatchObject({ ids: [], added: 0, refused: 0, ignored: 2 });
});

it('a file in a folder that has nothing but the size of a result is converted', async () => {
  const folder = await convertBeside('a.mp3');
  const other = join(queue().folder, 'other');
  await mkdir(other);
  const { length } = await readFile(join(folder, 'a, Low bronze.mp3'));
  await writeFile(join(other, 'same size.mp3'), Buffer.alloc(length, 1));
  expect((await queue().add([other])).ids).toHaveLength(1);
});

it('a folder with nothing but results adds no failed job', async () => {
  const folder = await convertBeside('a.mp3');
  await rename(join(folder, 'a.mp3'), join(queue().folder, 'a.mp3'));
  expect(await queue().add([folder])).toEqual({
    ids: [],
    createdIds: [],
    added: 0,
    refused: 0,
    ignored: 1,
    withoutPath: 0,
  });
});
