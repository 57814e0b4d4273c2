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
  it('is created with all missing parents, and may be created again', async () => {
    const path = join(folder, 'a/b/c');
    await makeFolder(path);
    await makeFolder(path);
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('may be created by several callers at once', async () => {
    const path = join(folder, 'a/b/c/d');
    await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)));
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it.skipIf(process.platform !== 'linux').each(['/proc/x', '/proc/x/y/z', '/proc/self/x'])(
    'that cannot be created, such as %s, is refused without endless retries',
    async (path) => {
      await expect(assertWritable(path)).rejects.toMatchObject({ code: 'output/not-writable' });
    },
  );

  it('below a file, or that is a file, is refused', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(assertWritable(join(folder, 'file'))).rejects.toMatchObject({ code: 'output/not-writable' });
    await expect(assertWritable(join(folder, 'file/below'))).rejects.toMatchObject({ code: 'output/not-writable' });
  });

  it.skipIf(asRoot)('that is not writable is refused', async () => {
    await chmod(folder, 0o500);
    await expect(assertWritable(folder)).rejects.toMatchObject({ code: 'output/not-writable' });
    await chmod(folder, 0o700);
  });

  it('contains no test file after its check', async () => {
    await assertWritable(join(folder, 'new'));
    expect(await readdir(join(folder, 'new'))).toEqual([]);
  });
});
