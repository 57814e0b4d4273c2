import { spawn } from 'node:child_process';
import { link, lstat, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signatureOf } from './signature.ts';
import { withTestFolder } from './test-eyes.ts';
import { createFindWriters, type WriterQuestion } from './writers.ts';

async function ask(path: string): Promise<WriterQuestion> {
  const stats = await lstat(path, { bigint: true });
  return { path, signature: signatureOf(stats), userId: Number(stats.uid) };
}

describe.runIf(process.platform === 'linux')('findWriters on Linux', () => {
  const findWriters = createFindWriters('linux');

  it('tells in one sweep who writes to which file, and that readers are no writers', () =>
    withTestFolder(async (folder) => {
      const [written, read, closed] = ['written', 'read', 'closed'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      await Promise.all([written, read, closed].map((path) => writeFile(path, 'x')));
      const reader = await open(read, 'r');
      const writer = spawn('sh', ['-c', 'exec 3>>"$1"; echo open; exec cat', 'sh', written], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => writer.stdout.once('data', resolve));
      const questions = await Promise.all([written, read, closed].map(ask));
      expect(await findWriters(questions)).toEqual([
        { kind: 'writer', program: expect.stringMatching(/^(cat|sh)$/) as string },
        { kind: 'none' },
        { kind: 'none' },
      ]);
      await reader.close();
      const ended = new Promise((resolve) => writer.once('exit', resolve));
      writer.stdin.end();
      await ended;
      expect(await findWriters(questions)).toEqual([{ kind: 'none' }, { kind: 'none' }, { kind: 'none' }]);
    }));

  it('finds a writer that knows the file by another name', () =>
    withTestFolder(async (folder) => {
      await writeFile(join(folder, 'a'), 'x');
      await link(join(folder, 'a'), join(folder, 'b'));
      const writer = await open(join(folder, 'a'), 'r+');
      expect(await findWriters([await ask(join(folder, 'b'))])).toMatchObject([{ kind: 'writer' }]);
      await writer.close();
    }));

  it('knows nothing where no processes can be listed', () =>
    withTestFolder(async (folder) => {
      await writeFile(join(folder, 'a'), 'x');
      const blind = createFindWriters('linux', join(folder, 'none'));
      expect(await blind([await ask(join(folder, 'a'))])).toEqual([{ kind: 'unknown' }]);
    }));
});

describe('findWriters elsewhere', () => {
  it('knows nothing', () =>
    withTestFolder(async (folder) => {
      await writeFile(join(folder, 'a'), 'x');
      expect(await createFindWriters('darwin')([await ask(join(folder, 'a'))])).toEqual([{ kind: 'unknown' }]);
    }));
});
