import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTemporaryFiles } from './temporary-files.ts';
import { temporaryPathOf } from './publish.ts';

const child = fileURLToPath(new URL('./copy-child.fixture.ts', import.meta.url));

let root: string;
const at = (...names: readonly string[]) => join(root, ...names);
const records = () => at('temporary-files');
const open = (dead: readonly string[] = []) =>
  createTemporaryFiles({ folder: records(), owner: randomUUID(), isAlive: (owner) => !dead.includes(owner) });

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'timbre-temporary-'));
});
afterEach(() => rm(root, { recursive: true }));

it('has a record of a file while it is written, and none after that', async () => {
  const path = await open().use(root, async (id) => {
    expect(await readFile(join(records(), id), 'utf8')).toBe(temporaryPathOf(root, id));
    return temporaryPathOf(root, id);
  });
  await expect(open().use(root, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect([await readdir(records()), path.startsWith(root)]).toEqual([[], true]);
});

it('lets the file be written if there can be no record of it', async () => {
  await writeFile(records(), 'a file in place of the folder');
  expect(await open().use(root, () => Promise.resolve('written'))).toBe('written');
});

it('a process that is killed leaves a file that the next sweep removes, but not while it lives', async () => {
  const bytes = Buffer.alloc(6 * 1024 ** 2, 'timbre');
  await mkdir(at('copies'));
  await writeFile(at('copies', `${createHash('sha256').update(bytes).digest('hex')}.wav`), bytes);
  await writeFile(at('big.wav'), bytes);
  const owner = randomUUID();
  const args = [child, at('copies'), owner, '1e9', '3', 'restore', at('big.wav')];
  expect(spawnSync(process.execPath, args).signal).toBe('SIGKILL');
  await writeFile(at('back/.timbre-other.part'), 'of another job');
  await open().sweep();
  expect(await readdir(at('back'))).toHaveLength(2);
  await open([owner]).sweep();
  expect(await readdir(at('back'))).toEqual(['.timbre-other.part']);
  expect(await readdir(records())).toEqual([]);
});

it('the first use in a process removes what killed ones left, as a command sweeps nothing by itself', async () => {
  const owner = randomUUID();
  const left = `${owner}-${randomUUID()}`;
  await mkdir(records());
  await writeFile(join(records(), left), temporaryPathOf(root, left));
  await writeFile(temporaryPathOf(root, left), 'left');
  await open([owner]).use(root, async (id) => expect(await readdir(records())).toEqual([id]));
  expect(await readdir(root)).toEqual(['temporary-files']);
});

it('a record that cannot be followed keeps the next sweep from no other', async () => {
  const owner = randomUUID();
  const [far, folder, empty, left] = Array.from({ length: 4 }, () => `${owner}-${randomUUID()}`) as [
    string,
    string,
    string,
    string,
  ];
  await mkdir(join(records(), folder), { recursive: true });
  await writeFile(join(records(), far), temporaryPathOf(at('n'.repeat(300)), far));
  await writeFile(join(records(), empty), '');
  await writeFile(join(records(), left), temporaryPathOf(root, left));
  await writeFile(temporaryPathOf(root, left), 'left');
  await open([owner]).sweep();
  expect(await readdir(root)).toEqual(['temporary-files']);
  expect((await readdir(records())).sort()).toEqual([far, folder].sort());
});

it('a record cannot make a sweep remove another file', async () => {
  const owner = randomUUID();
  await mkdir(records());
  await writeFile(at('mine.wav'), 'mine');
  for (const path of [at('mine.wav'), 'mine.wav']) await writeFile(join(records(), `${owner}-${randomUUID()}`), path);
  await open([owner]).sweep();
  expect(await readFile(at('mine.wav'), 'utf8')).toBe('mine');
  expect(await readdir(records())).toEqual([]);
});
