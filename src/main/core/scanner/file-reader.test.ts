import { createHash } from 'node:crypto';
import { appendFile, lstat, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signatureOf } from '../files/identity.ts';
import { createFileReader, hashFile, type ReadOutcome } from './file-reader.ts';
import { openWavBytes, wavBytes, withTestFolder } from './scanner.fixture.ts';
import { newCandidate } from './stability.ts';
import { maxTextBytes } from '../speech/text-file.ts';

describe('createFileReader', () => {
  it.runIf(process.platform !== 'win32')(
    'retries for a minute with growing delays before it rejects a file that a disk cannot read',
    () =>
      withTestFolder(async (folder) => {
        // A socket can be checked but not opened, like a file on a failing disk.
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(join(folder, 'a.wav'), resolve));
        const signature = signatureOf(await lstat(join(folder, 'a.wav'), { bigint: true }));
        const root = {
          id: 'root',
          path: folder,
          hasOwnEvents: () => true,
          isNetworkDrive: () => false,
          isWatched: () => true,
          isPresent: () => Promise.resolve(true),
          onMissing: () => undefined,
          onLeft: () => undefined,
        };
        const candidate = newCandidate('root', 'a.wav', 0);
        const outcomes: ReadOutcome[] = [];
        let done = Promise.withResolvers<void>();
        const reader = createFileReader({
          platform: process.platform,
          onStart: () => undefined,
          onStalled: () => undefined,
          onRead(_, outcome) {
            outcomes.push(outcome);
            done.resolve();
          },
        });
        for (let time = 0; time < 6; time += 1) {
          done = Promise.withResolvers();
          reader.add({ candidate, root, signature, mayBeOpen: false, hasWaited: false });
          await done.promise;
        }
        const waits = outcomes.map((outcome) => (outcome.kind === 'retry' ? outcome.afterMs : outcome.kind));
        expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 'settled']);
        expect(outcomes.at(-1)).toMatchObject({ event: { kind: 'rejected', problem: { code: 'input/unreadable' } } });
        await reader.stop();
        await new Promise((resolve) => server.close(resolve));
      }),
  );
});

describe('hashFile', () => {
  const { signal } = new AbortController();
  const { platform } = process;

  async function expectedOf(root: string, path: string) {
    const expected = signatureOf(await lstat(join(root, path), { bigint: true }));
    return { root, path, expected, mayBeOpen: false, hasWaited: false, platform, signal };
  }

  describe('hashFile', () => {
    it('returns the hash and the duration of a complete file', () =>
      withTestFolder(async (root) => {
        const bytes = wavBytes(40);
        await writeFile(join(root, 'a.wav'), bytes);
        expect(await hashFile(await expectedOf(root, 'a.wav'))).toEqual({
          kind: 'ready',
          sha256: createHash('sha256').update(bytes).digest('hex'),
          durationSeconds: 40,
          text: null,
        });
      }));

    it('takes the text and the hash of a text file from the same bytes', () =>
      withTestFolder(async (root) => {
        const bytes = Buffer.from('\ufeffGood evening.');
        await writeFile(join(root, 'a.TXT'), bytes);
        expect(await hashFile(await expectedOf(root, 'a.TXT'))).toEqual({
          kind: 'ready',
          sha256: createHash('sha256').update(bytes).digest('hex'),
          durationSeconds: 13 / 12,
          text: 'Good evening.',
        });
      }));

    it('refuses a text without words, or one that is too large, and waits for the end of one that may be open', () =>
      withTestFolder(async (root) => {
        await writeFile(join(root, 'empty.txt'), '');
        await writeFile(join(root, 'large.txt'), Buffer.alloc(maxTextBytes + 1, 'a'));
        await writeFile(join(root, 'half.txt'), Buffer.concat([Buffer.from('Hello'), Buffer.alloc(5000)]));
        const outcome = async (name: string, mayBeOpen: boolean) => {
          const hashed = await hashFile({ ...(await expectedOf(root, name)), mayBeOpen });
          return hashed.kind === 'refused' ? hashed.problem.code : hashed.kind;
        };
        expect(await outcome('empty.txt', true)).toBe('input/text-empty');
        expect(await outcome('large.txt', true)).toBe('input/text-too-long');
        expect(await outcome('half.txt', true)).toBe('unfinished');
        expect(await outcome('half.txt', false)).toBe('input/not-text');
      }));

    it('does not accept a file that ends in zeros while it may be open', () =>
      withTestFolder(async (root) => {
        await writeFile(join(root, 'silent.wav'), wavBytes(1).fill(0, 8000));
        await writeFile(join(root, 'full.wav'), wavBytes(10).fill(0, 155_000));
        const silent = await expectedOf(root, 'silent.wav');
        expect(await hashFile({ ...silent, mayBeOpen: true })).toEqual({ kind: 'unfinished' });
        expect(await hashFile(silent)).toMatchObject({ kind: 'ready' });
        // A moment of silence is not an unwritten end.
        expect(await hashFile({ ...(await expectedOf(root, 'full.wav')), mayBeOpen: true })).toMatchObject({
          kind: 'ready',
        });
      }));

    it('accepts a file with an open length only after the maximum wait', () =>
      withTestFolder(async (root) => {
        await writeFile(join(root, 'open.wav'), openWavBytes(1));
        const open = await expectedOf(root, 'open.wav');
        expect(await hashFile(open)).toEqual({ kind: 'unfinished' });
        expect(await hashFile({ ...open, mayBeOpen: true, hasWaited: true })).toMatchObject({
          kind: 'ready',
          durationSeconds: 1,
        });
      }));

    it('refuses a cut file and one that is not audio, with the reason', () =>
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

    it('returns nothing for a file that is not, or does not remain, the expected one', () =>
      withTestFolder(async (root) => {
        const path = join(root, 'a.wav');
        await writeFile(path, wavBytes(1));
        const before = await expectedOf(root, 'a.wav');
        await appendFile(path, 'more');
        expect(await hashFile(before)).toEqual({ kind: 'changed' });
        const again = await expectedOf(root, 'a.wav');
        await rename(path, join(root, 'b.wav'));
        await writeFile(path, wavBytes(1));
        expect(await hashFile(again)).toEqual({ kind: 'changed' });
      }));

    it('never reads through a link that replaces the file or its folder, in 500 races', () =>
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
            // `expectedOf` itself may have followed the link, so its file may be the one outside.
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
