import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile, replaceText } from './replace-file.ts';

const run = promisify(execFile);
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-replace-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a chosen file', () => {
  it('is replaced, and nothing is left beside it', async () => {
    const path = join(folder, 'presets.json');
    await writeFile(path, 'old and longer');
    await replaceText(path, 'new');
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['new', ['presets.json']]);
  });

  it('stays as it was if it is not written to its end', async () => {
    const path = join(folder, 'presets.json');
    await writeFile(path, 'old');
    const stopped = replaceFile(path, async (part) => {
      await writeFile(part, 'ne');
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['old', ['presets.json']]);
  });

  it('in a folder that is gone is not writable', async () => {
    const gone = join(folder, 'gone');
    await expect(replaceText(join(gone, 'a.json'), 'x')).rejects.toMatchObject({
      code: 'output/not-writable',
      problem: { facts: { folder: gone } },
    });
  });
});

describe.skipIf(!isRoot)('a chosen file on a full disk (needs Linux and root, to mount one)', () => {
  beforeEach(() => run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]));
  afterEach(() => run('umount', [folder]));

  it('keeps its content, and the error says that the disk is full', async () => {
    const path = join(folder, 'presets.json');
    await writeFile(path, 'old');
    await expect(replaceText(path, 'x'.repeat(100_000))).rejects.toMatchObject({ code: 'output/disk-full' });
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['old', ['presets.json']]);
  });
});
