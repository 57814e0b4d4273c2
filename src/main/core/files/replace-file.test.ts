import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calls, canDisturb } from './disturbed-publish.fixture.ts';
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

describe.skipIf(!canDisturb)('a private file (needs strace)', () => {
  it.each([`${calls.sync}:error=EIO`, `${calls.rename}:error=EIO`])(
    'that cannot be written leaves nothing of its secret behind (%s)',
    async (inject) => {
      const program = `
        import { writePrivateFile } from ${JSON.stringify(import.meta.resolve('./replace-file.ts'))};
        const path = ${JSON.stringify(join(folder, 'one.open'))};
        await writePrivateFile(path, 'token').catch((error) => console.log(error.code));`;
      const strace = ['-f', '-qq', '-o', '/dev/null', '-e', `inject=${inject}`];
      const child = [process.execPath, '--input-type=module', '-e', program];
      const { stdout } = spawnSync('strace', [...strace, ...child], { encoding: 'utf8' });
      expect([stdout.trim(), await readdir(folder)]).toEqual(['EIO', []]);
    },
  );
});
