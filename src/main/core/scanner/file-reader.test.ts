import { createHash } from 'node:crypto';
import { appendFile, lstat, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signatureOf } from '../files/identity.ts';
import { createFileReader, hashFile, type ReadOutcome } from './file-reader.ts';
import { openWavBytes, wavBytes, withTestFolder } from './scanner.fixture.ts';
import { newCandidate } from './stability.ts';

describe('reading', () => {
  it.runIf(process.platform !== 'win32')('tries for a minute, later each time, before a disk fails for a file', () =>
    withTestFolder(async (folder) => {
      // What can be looked at and not be opened: as on a disk that fails.
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(join(folder, 'a.wav'), resolve));
      const signature = signatureOf(await lstat(join(folder, 'a.wav'), { bigint: true }));
      const root = {
        id: 'root',
        path: folder,
        isOurs: () => true,
        isShared: () => false,
        isThere: () => Promise.resolve(true),
        onMissing: () => undefined,
        onSettled: () => undefined,
      };
      const candidate = newCandidate('root', 'a.wav', 0);
      const outcomes: ReadOutcome[] = [];
      let told = Promise.withResolvers<void>();
      const reading = createFileReader({
        platform: process.platform,
        onStart: () => undefined,
        onRead(_, outcome) {
          outcomes.push(outcome);
          told.resolve();
        },
      });
      for (let time = 0; time < 6; time += 1) {
        told = Promise.withResolvers();
        reading.add({ candidate, root, signature, mayBeOpen: false, hasWaited: false });
        await told.promise;
      }
      const waits = outcomes.map((outcome) => (outcome.kind === 'again' ? outcome.afterMs : outcome.kind));
      expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 'settled']);
      expect(outcomes.at(-1)).toMatchObject({ news: { kind: 'rejected', problem: { code: 'input/unreadable' } } });
      await reading.stop();
      await new Promise((resolve) => server.close(resolve));
    }),
  );
});

describe('hash file', () => {
  const { signal } = new AbortController();
  const { platform } = process;

  async function expectedOf(root: string, path: string) {
    const expected = signatureOf(await lstat(join(root, path), { bigint: true }));
    return { root, path, expected, mayBeOpen: false, hasWaited: false, platform, signal };
  }

  describe('hashFile', () => {
    it('tells hash and length of a whole file', () =>
      withTestFolder(async (root) => {
        const bytes = wavBytes(40);
        await writeFile(join(root, 'a.wav'), bytes);
        expect(await hashFile(await expectedOf(root, 'a.wav'))).toEqual({
          kind: 'ready',
          sha256: createHash('sha256').update(bytes).digest('hex'),
          durationSeconds: 40,
        });
      }));

    it('takes no file that ends in nothing while somebody may be writing to it', () =>
      withTestFolder(async (root) => {
        await writeFile(join(root, 'silent.wav'), wavBytes(1).fill(0, 8000));
        await writeFile(join(root, 'full.wav'), wavBytes(10).fill(0, 155_000));
        const silent = await expectedOf(root, 'silent.wav');
        expect(await hashFile({ ...silent, mayBeOpen: true })).toEqual({ kind: 'hollow' });
        expect(await hashFile(silent)).toMatchObject({ kind: 'ready' });
        // A moment of silence is no empty end.
        expect(await hashFile({ ...(await expectedOf(root, 'full.wav')), mayBeOpen: true })).toMatchObject({
          kind: 'ready',
        });
      }));

    it('takes a file with an open length only after it was waited for', () =>
      withTestFolder(async (root) => {
        await writeFile(join(root, 'open.wav'), openWavBytes(1));
        const open = await expectedOf(root, 'open.wav');
        expect(await hashFile(open)).toEqual({ kind: 'hollow' });
        expect(await hashFile({ ...open, mayBeOpen: true, hasWaited: true })).toMatchObject({
          kind: 'ready',
          durationSeconds: 1,
        });
      }));

    it('refuses what is cut or no sound, with the reason', () =>
      withTestFolder(async (root) => {
        await writeFile(join(root, 'cut.wav'), wavBytes(1).subarray(0, 100));
        await writeFile(join(root, 'text.wav'), 'this is text');
        await writeFile(join(root, 'empty.wav'), '');
        const codes = [];
        for (const name of ['cut.wav', 'text.wav', 'empty.wav']) {
          const hashed = await hashFile(await expectedOf(root, name));
          codes.push(hashed.kind === 'refused' ? hashed.problem.code : hashed.kind);
        }
        expect(codes).toEqual(['input/cut', 'input/not-audio', 'input/empty']);
      }));

    it('tells nothing of a file that is not the expected one, or did not stay it', () =>
      withTestFolder(async (root) => {
        const path = join(root, 'a.wav');
        await writeFile(path, wavBytes(1));
        const order = await expectedOf(root, 'a.wav');
        await appendFile(path, 'more');
        expect(await hashFile(order)).toEqual({ kind: 'changed' });
        const again = await expectedOf(root, 'a.wav');
        await rename(path, join(root, 'b.wav'));
        await writeFile(path, wavBytes(1));
        expect(await hashFile(again)).toEqual({ kind: 'changed' });
      }));

    it('never reads through a link that takes the place of the file, or of its folder, in 500 races', () =>
      withTestFolder(async (folder) => {
        const root = join(folder, 'root');
        const outside = join(folder, 'outside');
        await mkdir(join(root, 'sub'), { recursive: true });
        await mkdir(outside);
        const secret = wavBytes(0.2, 99);
        await writeFile(join(outside, 'a.wav'), secret);
        await writeFile(join(root, 'sub', 'a.wav'), wavBytes(0.2, 1));
        const inside = createHash('sha256').update(wavBytes(0.2, 1)).digest('hex');

        let isOver = false;
        const swap = async () => {
          while (!isOver) {
            await rename(join(root, 'sub'), join(root, 'kept'));
            await symlink(outside, join(root, 'sub'));
            await rm(join(root, 'sub'));
            await rename(join(root, 'kept'), join(root, 'sub'));
            await rename(join(root, 'sub', 'a.wav'), join(root, 'sub', 'kept.wav'));
            await symlink(join(outside, 'a.wav'), join(root, 'sub', 'a.wav'));
            await rename(join(root, 'sub', 'kept.wav'), join(root, 'sub', 'a.wav'));
          }
        };
        const swapping = swap();
        const outcomes = new Set<string>();
        for (let race = 0; race < 500; race += 1) {
          try {
            // The look itself may have gone through the link: then all that is expected lies outside.
            const hashed = await hashFile(await expectedOf(root, join('sub', 'a.wav')));
            outcomes.add(hashed.kind === 'ready' ? hashed.sha256 : hashed.kind);
          } catch (error) {
            outcomes.add((error as NodeJS.ErrnoException).code ?? 'unknown');
          }
        }
        isOver = true;
        await swapping;
        expect([inside, 'changed', 'ENOENT']).toEqual(expect.arrayContaining([...outcomes]));
        expect(outcomes.size).toBeGreaterThan(1);
      }));
  });
});
