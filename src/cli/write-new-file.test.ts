import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCliMessages } from '../shared/messages/cli.ts';
import { writeNewFile } from './write-new-file.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';
const en = await loadCliMessages('en');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-new-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('writes a new file, replaces none, and names one whose folder is missing', async () => {
  const path = join(folder, 'a.json');
  await writeNewFile(path, 'mine', en);
  await expect(writeNewFile(path, 'other', en)).rejects.toMatchObject({ code: 'request/invalid' });
  expect(await readFile(path, 'utf8')).toBe('mine');
  const missing = join(folder, 'none', 'a.json');
  await expect(writeNewFile(missing, 'x', en)).rejects.toMatchObject({
    code: 'output/not-writable',
    sentence: en.cli.connections.notWritten({ path: missing }),
  });
});

describe.skipIf(!isRoot)('on a full disk (needs Linux and root, to mount one)', () => {
  beforeEach(() => run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]));
  afterEach(() => run('umount', [folder]));

  it('leaves nothing in the way of the next attempt, and says that the disk is full', async () => {
    const path = join(folder, 'a.json');
    await expect(writeNewFile(path, 'x'.repeat(100_000), en)).rejects.toMatchObject({ code: 'output/disk-full' });
    expect(await readdir(folder)).toEqual([]);
    await writeNewFile(path, 'x', en);
  });
});
