import { execFile } from 'node:child_process';
import { copyFile, link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasCaselessDisk, withCaselessDisk } from '../files/caseless-disk.fixture.ts';
import { useTestQueue } from './queue.fixture.ts';

const queue = useTestQueue();
const at = (...names: readonly string[]) => join(queue().folder, ...names);
const { signal } = new AbortController();
const run = promisify(execFile);

describe('a recording that is given by several paths is added once', () => {
  it.each<[string, readonly string[]]>([
    ['a folder and a link to it', ['real', 'link']],
    ['a link to a folder and a file in it', ['link', 'real/deep/a.mp3']],
    ['a file and a link to it', ['real/deep/a.mp3', 'link.mp3']],
    ['a link to a file and its folder', ['link.mp3', 'real']],
    ['two links to a file', ['link.mp3', 'other link.mp3']],
  ])('%s', async (_what, paths) => {
    await queue().addFile('real/deep/a.mp3');
    await symlink(at('real'), at('link'));
    await symlink(at('real/deep/a.mp3'), at('link.mp3'));
    await symlink('link.mp3', at('other link.mp3'));
    expect((await queue().add(paths.map((path) => at(path)))).ids).toHaveLength(1);
  });

  it.skipIf(process.platform !== 'linux' || !hasCaselessDisk)(
    'a folder and another mount of it (skipped where nothing can be mounted)',
    async () => {
      await queue().addFile('real/a.mp3');
      await mkdir(at('bound'));
      await run('mount', ['--bind', at('real'), at('bound')]);
      try {
        expect((await queue().add([at('bound'), at('real')])).ids).toHaveLength(1);
      } finally {
        await run('umount', [at('bound')]);
      }
    },
  );

  it.skipIf(!hasCaselessDisk)('a file in other letters, where case does not count (skipped without exFAT)', () =>
    withCaselessDisk(async (disk) => {
      await mkdir(join(disk, 'Takes'));
      await copyFile(await queue().addFile('a.mp3'), join(disk, 'Takes/Take.mp3'));
      expect((await queue().add([join(disk, 'takes/TAKE.mp3'), join(disk, 'TAKES')])).ids).toHaveLength(1);
    }),
  );
});

it('adds each of two hard links, as of two copies', async () => {
  await link(await queue().addFile('real/a.mp3'), at('real/b.mp3'));
  expect((await queue().add([at('real')])).ids).toHaveLength(2);
});

it.each([
  ['link', 'real'],
  ['real', 'link'],
])(
  'leaves out results that were made through %s and are given with their originals through %s, however they are named',
  async (made, given) => {
    queue().request = { ...queue().request, outputFolder: null, nameTemplate: '{voice} {name}' };
    await queue().addFile('real/a.mp3');
    await symlink(at('real'), at('link'));
    await queue().run([at(made, 'a.mp3')]);
    const { added, ignored } = await queue().add([at(given, 'a.mp3'), at(given, 'Low bronze a.mp3')]);
    expect([added, ignored]).toEqual([1, 1]);
  },
);

describe.each(['beside its recording', 'in a folder for results'])('a result %s', (place) => {
  it.each([
    ['link/a.mp3', 'real/a.mp3'],
    ['real/a.mp3', 'link/a.mp3'],
    ['link.mp3', 'real/a.mp3'],
    ['real/a.mp3', 'link.mp3'],
    ['link.mp3', 'other link.mp3'],
    ['link.mp3', 'link/a.mp3'],
    ['link', 'real'],
    ['real', 'link'],
  ])('that was made of %s is found by %s, also if its name has a number', async (made, given) => {
    if (place.startsWith('beside')) queue().request = { ...queue().request, outputFolder: null };
    await queue().addFile('real/a.mp3');
    await symlink(at('real'), at('link'));
    await symlink(at('real/a.mp3'), at('link.mp3'));
    await symlink(at('link.mp3'), at('other link.mp3'));
    for (const taken of ['real/a', 'link', 'out/a', 'out/link']) {
      await mkdir(dirname(at(taken)), { recursive: true });
      await writeFile(at(`${taken}, Low bronze.mp3`), '');
    }
    const jobs = (await queue().run([at(made)])).jobs.filter(({ state }) => state === 'done');
    const found = await queue().submitJobs.addMissing([at(given)], queue().request, signal);
    expect([...found.made.values()].map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
    expect(jobs).toHaveLength(1);
  });
});
