import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, assertWritable } from './folders.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-folder-'));
});
afterEach(() => rm(folder, { recursive: true }));

const asRoot = process.getuid?.() === 0;

describe('an output folder', () => {
  it('is made with all that is missing above it, and again without a fault', async () => {
    const path = join(folder, 'a/b/c');
    await makeFolder(path);
    await makeFolder(path);
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('is made by several at once', async () => {
    const path = join(folder, 'a/b/c/d');
    await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)));
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it.skipIf(process.platform !== 'linux').each(['/proc/x', '/proc/x/y/z', '/proc/self/x'])(
    'that the system never makes, as %s, is refused and not tried for ever',
    async (path) => {
      await expect(assertWritable(path)).rejects.toMatchObject({ code: 'output/not-writable' });
    },
  );

  it('below a file, or that is one, is refused', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(assertWritable(join(folder, 'file'))).rejects.toMatchObject({ code: 'output/not-writable' });
    await expect(assertWritable(join(folder, 'file/below'))).rejects.toMatchObject({ code: 'output/not-writable' });
  });

  it.skipIf(asRoot)('that may not be written to is refused', async () => {
    await chmod(folder, 0o500);
    await expect(assertWritable(folder)).rejects.toMatchObject({ code: 'output/not-writable' });
    await chmod(folder, 0o700);
  });

  it('that takes files has none of ours in it afterwards', async () => {
    await assertWritable(join(folder, 'new'));
    expect(await readdir(join(folder, 'new'))).toEqual([]);
  });
});
