import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, utimesSync } from 'node:fs';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CopyContent, createCopyStore } from './copy-store.ts';
import { createTemporaryFiles } from './temporary-files.ts';

const run = promisify(execFile);
const child = fileURLToPath(new URL('./copy-child.fixture.ts', import.meta.url));
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';
const { signal } = new AbortController();
const second = 1000;

let root: string;
const at = (...names: readonly string[]) => join(root, ...names);
const copies = () => at('copies');
function open(spareBytes = 0, dead: readonly string[] = [], reserved = 0) {
  const owners = { owner: randomUUID(), isAlive: (owner: string) => !dead.includes(owner) };
  const temporaryFiles = createTemporaryFiles({ folder: at('temporary-files'), ...owners });
  const reservedBytes = () => Promise.resolve(reserved);
  return createCopyStore({ folder: copies(), ...owners, temporaryFiles, reservedBytes, spareBytes });
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'timbre-copies-'));
});
afterEach(() => rm(root, { recursive: true }));

async function write(name: string, bytes: string | Buffer): Promise<string> {
  await mkdir(dirname(at(name)), { recursive: true });
  await writeFile(at(name), bytes);
  return at(name);
}

const contentOf = (bytes: string | Buffer, extension = '.wav'): CopyContent => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  sizeBytes: Buffer.byteLength(bytes),
  extension,
});

const back = (path: string, now = 9 * second) => ({ path, modifiedAt: 5 * second, now, signal, isTaken: () => false });

/** A file and its copy, used at a time. */
async function copied(name: string, bytes: string | Buffer, usedAt = second, store = open()): Promise<CopyContent> {
  const content = contentOf(bytes);
  expect(await store.add(await write(name, bytes), content, usedAt, signal)).toBe('added');
  return content;
}

describe('a copy', () => {
  it('has the bytes of the result, the time of the result, and is private', async () => {
    const { sha256 } = await copied('a.wav', 'the result', 7 * second);
    const path = join(copies(), `${sha256}.wav`);
    expect(await readFile(path, 'utf8')).toBe('the result');
    const stats = await stat(path);
    expect([stats.mtimeMs, stats.mode & 0o777]).toEqual([7 * second, 0o600]);
    expect((await stat(copies())).mode & 0o777).toBe(0o700);
    expect(await readdir(copies())).toEqual([`${sha256}.wav`]);
  });

  it('is made once for the same content, and is as new as the latest result that has it', async () => {
    const store = open();
    const content = await copied('a.wav', 'same', 2 * second, store);
    for (const [usedAt, latest] of [
      [second, 2 * second],
      [3 * second, 3 * second],
    ] as const) {
      expect(await store.add(await write('b.wav', 'same'), content, usedAt, signal)).toBe('known');
      expect(await store.list()).toMatchObject([{ sizeBytes: 4, usedAt: latest }]);
    }
  });

  it('is not made of a file that has changed, is gone, cannot be read or is a link', async () => {
    const store = open();
    const content = contentOf('the result');
    const changed = await write('changed.wav', 'the reSult');
    await symlink(await write('real.wav', 'the result'), at('link.wav'));
    for (const path of [changed, at('gone.wav'), at('link.wav'), root])
      expect(await store.add(path, content, second, signal)).toBe('changed');
    expect(await store.list()).toEqual([]);
    expect(await readdir(copies()).catch(() => [])).toEqual([]);
  });

  it('is neither made nor restored where running jobs have reserved the space', async () => {
    const content = await copied('a.wav', 'the result');
    const full = open(0, [], Number.MAX_SAFE_INTEGER);
    const other = contentOf('another result');
    await expect(full.add(await write('b.wav', 'another result'), other, second, signal)).rejects.toMatchObject({
      code: 'output/disk-full',
    });
    await expect(full.restore(content, back(at('back.wav')))).rejects.toMatchObject({ code: 'output/disk-full' });
    expect(await readdir(copies())).toEqual([`${content.sha256}.wav`]);
  });

  it('replaces one that lost its end', async () => {
    const store = open();
    const content = await copied('a.wav', 'the result', second, store);
    const path = join(copies(), `${content.sha256}.wav`);
    await truncate(path, 3);
    expect(await store.add(at('a.wav'), content, second, signal)).toBe('added');
    expect(await readFile(path, 'utf8')).toBe('the result');
  });

  it('is never made through a link in place of the folder', async () => {
    await mkdir(at('elsewhere'));
    await symlink(at('elsewhere'), copies());
    const path = await write('a.wav', 'x');
    await expect(open().add(path, contentOf('x'), second, signal)).rejects.toMatchObject({
      code: 'output/not-writable',
    });
    expect(await readdir(at('elsewhere'))).toEqual([]);
    // Nor is anything removed there.
    await write(join('elsewhere', `${contentOf('y').sha256}.wav`), 'y');
    await open().trim(0);
    expect(await readdir(at('elsewhere'))).toHaveLength(1);
  });

  it('does not count as there if a link to its folder took the place of the folder', async () => {
    const content = await copied('a.wav', 'the result');
    await rename(copies(), at('moved'));
    await symlink(at('moved'), copies());
    await expect(open().add(at('a.wav'), content, second, signal)).rejects.toMatchObject({
      code: 'output/not-writable',
    });
  });

  it('is neither found nor removed through a link in place of the folder', async () => {
    const path = await write('a.wav', 'x');
    const copy = await write(`elsewhere/${contentOf('x').sha256}.wav`, 'y');
    await symlink(at('elsewhere'), copies());
    expect(await open().find(contentOf('x'))).toBeUndefined();
    expect(await open().restore(contentOf('x'), back(path))).toEqual({ kind: 'none' });
    expect(await readFile(copy, 'utf8')).toBe('y');
    expect(await readdir(at('elsewhere'))).toHaveLength(1);
  });

  it('never gets a name from a hash that is none', async () => {
    const path = await write('a.wav', 'x');
    const content = { ...contentOf('x'), sha256: '../../escaped' };
    expect(await open().add(path, content, second, signal)).toBe('changed');
    expect(await open().find(content)).toBeUndefined();
    const odd = { ...contentOf('x'), extension: '/../../x' };
    expect(await open().add(path, odd, second, signal)).toBe('added');
    expect(await readdir(copies())).toEqual([odd.sha256]);
  });

  it('is not made where it would leave too little space', async () => {
    const path = await write('a.wav', 'x');
    await expect(open(1e18).add(path, contentOf('x'), second, signal)).rejects.toMatchObject({
      code: 'output/disk-full',
      problem: { facts: { folder: copies(), neededBytes: 1e18 } },
    });
    expect(await readdir(copies())).toEqual([]);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const path = await write('a.wav', 'x'.repeat(3_000_000));
    const stopping = AbortSignal.abort(new Error('stopped'));
    await expect(open().add(path, contentOf('x'.repeat(3_000_000)), second, stopping)).rejects.toThrow('stopped');
    expect(await readdir(copies())).toEqual([]);
  });
});

describe('the folder', () => {
  it('loses what was not used for longest once there is too much', async () => {
    const store = open();
    const old = await copied('a.wav', 'aaaa', second, store);
    const middle = await copied('b.wav', 'bbbb', 2 * second, store);
    const young = await copied('c.wav', 'cccc', 3 * second, store);
    // A copy that was restored counts as used.
    await store.restore(old, back(at('back.wav')));
    await store.trim(8);
    expect(new Set((await store.list()).map(({ sha256 }) => sha256))).toEqual(new Set([old.sha256, young.sha256]));
    expect(await store.find(middle)).toBeUndefined();
    await store.trim(0);
    expect(await store.list()).toEqual([]);
  });

  it('is kept within its limit as copies are added', async () => {
    const store = open();
    for (let k = 1; k <= 6; k++) {
      await copied(`${k}.wav`, `${k}`.repeat(10), k * second, store);
      await store.keepWithin(35);
    }
    expect((await store.list()).map(({ usedAt }) => usedAt / second).sort()).toEqual([4, 5, 6]);
  });

  it('looks at the folder only once for many copies that need room', async () => {
    const store = open();
    for (let k = 1; k <= 3; k++) await copied(`${k}.wav`, `${k}`.repeat(10), k * second, store);
    await utimes(copies(), 1, 1);
    await store.keepWithin(35);
    // Only a look would find it. Each look at 100,000 copies takes two seconds.
    await copied('old.wav', 'old', second / 2);
    await utimes(copies(), 1, 1);
    await copied('4.wav', '4'.repeat(10), 4 * second, store);
    await store.keepWithin(35);
    expect((await store.list()).map(({ usedAt }) => usedAt / second).sort()).toEqual([0.5, 2, 3, 4]);
  });

  it('removes nothing if the user has made room since', async () => {
    const store = open();
    for (let k = 1; k <= 3; k++) await copied(`${k}.wav`, `${k}`.repeat(10), k * second, store);
    await store.keepWithin(35);
    await rm(join(copies(), `${contentOf('3'.repeat(10)).sha256}.wav`));
    await copied('4.wav', '4'.repeat(10), 4 * second, store);
    await store.keepWithin(35);
    expect((await store.list()).map(({ usedAt }) => usedAt / second).sort()).toEqual([1, 2, 4]);
  });

  it('keeps a copy that another process has restored since the look at the folder', async () => {
    const store = open();
    for (let k = 1; k <= 3; k++) await copied(`${k}.wav`, `${k}`.repeat(10), k * second, store);
    await store.keepWithin(35);
    await utimes(join(copies(), `${contentOf('1'.repeat(10)).sha256}.wav`), 9, 9);
    await copied('4.wav', '4'.repeat(10), 4 * second, store);
    await store.keepWithin(35);
    expect((await store.list()).map(({ usedAt }) => usedAt / second).sort()).toEqual([3, 4, 9]);
  });

  it('removes a copy first that was added later but made before the others', async () => {
    const store = open();
    for (let k = 2; k <= 4; k++) await copied(`${k}.wav`, `${k}`.repeat(10), k * second, store);
    await store.keepWithin(35);
    await copied('1.wav', '1'.repeat(10), second, store);
    await store.keepWithin(35);
    expect((await store.list()).map(({ usedAt }) => usedAt / second).sort()).toEqual([2, 3, 4]);
  });

  it('keeps files of other names, which are not counted', async () => {
    const store = open();
    const { sha256 } = await copied('a.wav', 'a', second, store);
    await write('copies/notes.txt', 'mine');
    await mkdir(join(copies(), `${'0'.repeat(64)}.wav`));
    expect(await store.list()).toHaveLength(1);
    await store.remove([`${sha256}.wav`]);
    await store.trim(0);
    expect((await readdir(copies())).sort()).toEqual([`${'0'.repeat(64)}.wav`, 'notes.txt']);
  });
});

it.skipIf(!isRoot)(
  'a copy that cannot be removed keeps no other one (needs Linux and root, to mount one)',
  async () => {
    const store = open();
    const { sha256 } = await copied('a.wav', 'oldest', second, store);
    const stuck = `${sha256}.wav`;
    for (const [k, text] of ['second', 'latest'].entries()) await copied(`${text}.wav`, text, (k + 2) * second, store);
    await run('mount', ['--bind', join(copies(), stuck), join(copies(), stuck)]);
    try {
      await store.keepWithin(12);
      expect((await store.list()).map(({ usedAt }) => usedAt / second).sort()).toEqual([1, 3]);
      await copied('next.wav', 'next..', 4 * second, store);
      await store.keepWithin(12);
      expect((await store.list()).map(({ usedAt }) => usedAt / second).sort()).toEqual([1, 4]);
      await copied('last.wav', 'last..', 5 * second, store);
      await expect(store.remove((await store.list()).map(({ name }) => name))).rejects.toMatchObject({
        code: 'output/failed',
      });
      expect(await readdir(copies())).toEqual([stuck]);
      await expect(store.trim(5)).rejects.toMatchObject({ code: 'output/failed' });
    } finally {
      await run('umount', [join(copies(), stuck)]);
    }
  },
);

describe('restoring', () => {
  it('puts the file back at its place and makes its folder, with the time that it had', async () => {
    const content = await copied('a.wav', 'the result');
    const path = at('gone', 'deep', 'a.wav');
    expect(await open().restore(content, back(path))).toEqual({ kind: 'restored', path });
    expect(await readFile(path, 'utf8')).toBe('the result');
    expect((await stat(path)).mtimeMs).toBe(5 * second);
    expect(await readdir(at('gone', 'deep'))).toEqual(['a.wav']);
  });

  it('takes no copy for damaged whose time another process changes meanwhile, as a restore of the same content does', async () => {
    const store = open();
    const content = await copied('a.wav', 'the result', second, store);
    const copy = join(copies(), `${content.sha256}.wav`);
    const reading = new AbortController().signal;
    let times = 0;
    // Called before each piece that is read.
    reading.throwIfAborted = () => utimesSync(copy, 1, (times += 1));
    const restored = await store.restore(content, { ...back(at('back.wav')), signal: reading });
    expect(restored).toEqual({ kind: 'restored', path: at('back.wav') });
    expect(times).toBeGreaterThan(0);
    expect(await readdir(copies())).toEqual([`${content.sha256}.wav`]);
  });

  it('never replaces a file, nor takes a name of another result', async () => {
    const content = await copied('a.wav', 'the result');
    const path = await write('out/take.wav', 'the user’s');
    await write('out/take (2).wav', 'too');
    const isTaken = (name: string) => name === at('out', 'take (3).wav');
    expect(await open().restore(content, { ...back(path), isTaken })).toEqual({
      kind: 'restored',
      path: at('out', 'take (4).wav'),
    });
    expect(await readFile(path, 'utf8')).toBe('the user’s');
  });

  it.each([
    ['other bytes', (path: string) => writeFile(path, 'the reSult')],
    ['its end lost', (path: string) => truncate(path, 3)],
  ])('removes a copy with %s instead of restoring it', async (_, damage) => {
    const content = await copied('a.wav', 'the result');
    await damage(join(copies(), `${content.sha256}.wav`));
    expect(await open().restore(content, back(at('back.wav')))).toEqual({ kind: 'damaged' });
    expect(await readdir(root)).not.toContain('back.wav');
    expect(await readdir(copies())).toEqual([]);
    expect(await open().restore(content, back(at('back.wav')))).toEqual({ kind: 'none' });
  });

  it.skipIf(isRoot)('says that the folder of the result cannot be written', async () => {
    const content = await copied('a.wav', 'the result');
    await mkdir(at('locked'));
    await chmod(at('locked'), 0o500);
    await expect(open().restore(content, back(at('locked', 'a.wav')))).rejects.toMatchObject({
      code: 'output/not-writable',
      problem: { facts: { folder: at('locked') } },
    });
  });
});

describe('a process that is killed', () => {
  const big = Buffer.alloc(6 * 1024 ** 2, 'timbre');

  it('in the middle of a copy leaves a part that the next sweep removes, but not while it lives', async () => {
    await write('big.wav', big);
    const owner = randomUUID();
    const { signal: killer } = spawnSync(process.execPath, [child, copies(), owner, '1e9', '3', 'add', at('big.wav')]);
    expect(killer).toBe('SIGKILL');
    expect(await readdir(copies())).toEqual([expect.stringMatching(/\.part$/)]);
    expect(await open().list()).toEqual([]);
    await open().sweep();
    expect(await readdir(copies())).toHaveLength(1);
    await open(0, [owner]).sweep();
    expect(await readdir(copies())).toEqual([]);
  });
});

it('is shared by processes that copy and trim at the same time', async () => {
  const names = Array.from({ length: 24 }, (_, k) => `take ${k}.wav`);
  for (const [k, name] of names.entries()) {
    await write(name, Buffer.alloc(100_000, k + 1));
    await utimes(at(name), k + 1, k + 1);
  }
  const paths = names.map((name) => at(name));
  const ends = [paths, paths.toReversed(), paths].map(async (some) => {
    const process_ = spawn(process.execPath, [child, copies(), randomUUID(), '1000000', '0', 'add', ...some]);
    const errors: Buffer[] = [];
    process_.stderr.on('data', (data: Buffer) => errors.push(data));
    const [code] = (await once(process_, 'close')) as [number];
    return [code, Buffer.concat(errors).toString()];
  });
  expect(await Promise.all(ends)).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ]);
  const store = open();
  await store.trim(1_000_000);
  const left = await store.list();
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThanOrEqual(10);
  for (const { name, sha256 } of left)
    expect(
      createHash('sha256')
        .update(await readFile(join(copies(), name)))
        .digest('hex'),
    ).toBe(sha256);
  expect((await readdir(copies())).filter((name) => name.startsWith('.'))).toEqual([]);
});

it('that another process removes while it is restored counts as none', async () => {
  const content = await copied('a.wav', 'x');
  const copy = join(copies(), `${content.sha256}.wav`);
  const options = {
    ...back(at('back', 'a.wav')),
    // Asked for once the copy was found.
    get path() {
      rmSync(copy, { force: true });
      return at('back', 'a.wav');
    },
  };
  expect(await open().restore(content, options)).toEqual({ kind: 'none' });
  expect(await readdir(at('back'))).toEqual([]);
});

describe.skipIf(!isRoot)('a disk that is full (needs Linux and root, to mount one)', () => {
  beforeEach(async () => {
    await mkdir(copies());
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', copies()]);
  });
  afterEach(() => run('umount', [copies()]));

  it('gets no part of a copy, and the next one that fits is made', async () => {
    const store = open();
    const path = await write('big.wav', Buffer.alloc(2_000_000, 'x'));
    await expect(store.add(path, contentOf(Buffer.alloc(2_000_000, 'x')), second, signal)).rejects.toMatchObject({
      code: 'output/disk-full',
    });
    expect(await readdir(copies())).toEqual([]);
    // The space that the system reports is not all that the user may have.
    const sparse = open(-4e6);
    await expect(sparse.add(path, contentOf(Buffer.alloc(2_000_000, 'x')), second, signal)).rejects.toMatchObject({
      code: 'output/disk-full',
    });
    expect(await readdir(copies())).toEqual([]);
    await copied('small.wav', 'small', second, store);
  });

  it('keeps no result from its place on another disk', async () => {
    const content = await copied('small.wav', 'small');
    await rm(at('small.wav'));
    await writeFile(join(copies(), 'filling'), Buffer.alloc(4e6)).catch(() => undefined);
    expect(await open().restore(content, back(at('small.wav')))).toMatchObject({ kind: 'restored' });
  });
});

it('copies a file that has other names too', async () => {
  const path = await write('a.wav', 'linked');
  await link(path, at('b.wav'));
  expect(await open().add(at('b.wav'), contentOf('linked'), second, signal)).toBe('added');
  expect((await stat(join(copies(), `${contentOf('linked').sha256}.wav`))).nlink).toBe(1);
});
