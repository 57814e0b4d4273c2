import { spawn } from 'node:child_process';
import { chown, link, lstat, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { signatureOf } from '../files/identity.ts';
import { withTestFolder } from './scanner.fixture.ts';
import { createFindWriters, type WriterQuestion } from './open-writers.ts';

async function ask(path: string): Promise<WriterQuestion> {
  const stats = await lstat(path, { bigint: true });
  return { path, signature: signatureOf(stats) };
}

describe.runIf(process.platform === 'linux')('findWriters on Linux', () => {
  const findWriters = createFindWriters('linux');
  /** Only root sees all processes. */
  const noWriter = { kind: process.getuid?.() === 0 ? 'none' : 'unseen' };

  it('finds in one sweep who writes to which file, and ignores readers', () =>
    withTestFolder(async (folder) => {
      const [written, read, closed] = ['written', 'read', 'closed'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      await Promise.all([written, read, closed].map((path) => writeFile(path, 'x')));
      const reader = await open(read, 'r');
      const writer = spawn('sh', ['-c', 'exec 3>>"$1"; exec cat', 'sh', written], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      // What cat echoes proves that the shell has become cat.
      writer.stdin.write('x');
      await new Promise((resolve) => writer.stdout.once('data', resolve));
      const questions = await Promise.all([written, read, closed].map(ask));
      expect(await findWriters(questions)).toEqual([{ kind: 'writer', program: 'cat' }, noWriter, noWriter]);
      await reader.close();
      const ended = new Promise((resolve) => writer.once('exit', resolve));
      writer.stdin.end();
      await ended;
      expect(await findWriters(questions)).toEqual([noWriter, noWriter, noWriter]);
    }));

  it('finds a writer that opened the file by another name', () =>
    withTestFolder(async (folder) => {
      await writeFile(join(folder, 'a'), 'x');
      await link(join(folder, 'a'), join(folder, 'b'));
      const writer = await open(join(folder, 'a'), 'r+');
      expect(await findWriters([await ask(join(folder, 'b'))])).toMatchObject([{ kind: 'writer' }]);
      await writer.close();
    }));

  it('knows that hidden processes may write', () =>
    withTestFolder(async (folder) => {
      await writeFile(join(folder, 'a'), 'x');
      await mkdir(join(folder, 'proc', '7', 'fd'), { recursive: true });
      const questions = [await ask(join(folder, 'a'))];
      const findVisible = createFindWriters('linux', join(folder, 'proc'));
      expect(await findVisible(questions)).toEqual([{ kind: 'unseen' }]);
      await mkdir(join(folder, 'proc', '1', 'fd'), { recursive: true });
      expect(await findVisible(questions)).toEqual([{ kind: 'none' }]);
    }));

  it.runIf(process.getuid?.() === 0)('knows that other users’ processes may write to the user’s own file', () =>
    withTestFolder(async (folder) => {
      const path = join(folder, 'a');
      const writer = await open(path, 'w');
      const otherUser = 65_534;
      await chown(path, otherUser, otherUser);
      const program = `
        import { createFindWriters } from '${new URL('open-writers.ts', import.meta.url).href}';
        const [answer] = await createFindWriters('linux')([${JSON.stringify(await ask(path))}]);
        console.log(answer.kind);`;
      const asking = spawn(process.execPath, ['--input-type=module', '-e', program], {
        uid: otherUser,
        gid: otherUser,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      expect((await text(asking.stdout)).trim()).toBe('unseen');
      await writer.close();
    }),
  );

  it('answers `unknown` if processes cannot be listed', () =>
    withTestFolder(async (folder) => {
      await writeFile(join(folder, 'a'), 'x');
      const unable = createFindWriters('linux', join(folder, 'none'));
      expect(await unable([await ask(join(folder, 'a'))])).toEqual([{ kind: 'unknown' }]);
    }));
});

describe('findWriters elsewhere', () => {
  it('answers `unknown`', () =>
    withTestFolder(async (folder) => {
      await writeFile(join(folder, 'a'), 'x');
      expect(await createFindWriters('darwin')([await ask(join(folder, 'a'))])).toEqual([{ kind: 'unknown' }]);
    }));
});
