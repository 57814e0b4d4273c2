import { createHook } from 'node:async_hooks';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFsEvents, type FsEvent, writeCanary } from './fs-events.ts';
import { withTestFolder } from './scanner.fixture.ts';

describe('hints', () => {
  /** Hints of a root, kept, and waited for. */
  function listening(root: string) {
    const heard: FsEvent[] = [];
    const waiting = new Set<() => void>();
    const hints = createFsEvents({
      root,
      isRecursive: true,
      platform: process.platform,
      onHint(hint) {
        heard.push(hint);
        for (const look of [...waiting]) look();
      },
      onTrouble: () => undefined,
    });
    const hear = (path: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!heard.some((hint) => hint.path === path)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    /** The watcher does not tell when it begins to listen: writes until it is heard. */
    let probes = 0;
    const armed = async (folder: string) => {
      const name = join(folder, `probe ${(probes += 1)}`);
      const isHeard = hear(name).then(() => true);
      for (let heardIt = false; !heardIt;) {
        await writeFile(join(root, name), 'x');
        heardIt = await Promise.race([isHeard, new Promise<false>((resolve) => setTimeout(resolve, 10, false))]);
      }
    };
    return { hints, heard, hear, armed };
  }

  describe('hints', () => {
    it('come from the folders that were added, and from no other', () =>
      withTestFolder(async (root) => {
        await mkdir(join(root, 'a', 'deep'), { recursive: true });
        await mkdir(join(root, 'b'));
        const { hints, heard, hear, armed } = listening(root);
        hints.add(['', 'a']);
        await Promise.all([armed(''), armed('a')]);
        await writeFile(join(root, 'b', 'unheard.wav'), 'x');
        await writeFile(join(root, 'a', 'deep', 'unheard.wav'), 'x');
        await writeFile(join(root, 'a', 'one.wav'), 'x');
        await hear(join('a', 'one.wav'));
        expect(heard.filter(({ path }) => path.endsWith('unheard.wav'))).toEqual([]);
        await hints.stop();
      }));

    it('come from a folder that took the place of another, once it was added anew', () =>
      withTestFolder(async (root) => {
        await mkdir(join(root, 'a'));
        const { hints, hear, armed } = listening(root);
        hints.add(['', 'a']);
        await armed('a');
        await rm(join(root, 'a'), { recursive: true });
        await mkdir(join(root, 'a'));
        hints.remove(['a']);
        hints.add(['a']);
        await writeFile(join(root, 'a', 'first.wav'), 'x');
        await rename(join(root, 'a', 'first.wav'), join(root, 'first.wav'));
        await hear('first.wav');
        await armed('a');
        await hints.stop();
      }));

    it('come without a look at the files that are there', () =>
      withTestFolder(async (root) => {
        const files = 1000;
        for (let k = 0; k < files; k += 1) await writeFile(join(root, `${k}.wav`), 'x');
        const { hints, armed } = listening(root);
        let asked = 0;
        // What is asked of the disk, by callback or promise.
        const counting = createHook({ init: (_id, type) => void (asked += Number(type.startsWith('FSREQ'))) }).enable();
        hints.add(['']);
        await armed('');
        counting.disable();
        await hints.stop();
        expect(asked).toBeLessThan(files);
      }));

    it('come no more after stop', () =>
      withTestFolder(async (root) => {
        const { hints, heard, armed } = listening(root);
        hints.add(['']);
        await armed('');
        await hints.stop();
        const before = heard.length;
        await writeFile(join(root, 'late.wav'), 'x');
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(heard).toHaveLength(before);
        hints.add(['']);
        await hints.settled();
      }));
  });
});

describe('canary', () => {
  const { signal } = new AbortController();

  describe('the canary', () => {
    it('is heard where hints come, and leaves nothing behind', () =>
      withTestFolder(async (root) => {
        const listeners = new Set<(path: string) => void>();
        const hints = createFsEvents({
          root,
          isRecursive: true,
          platform: process.platform,
          onHint: ({ path }) => {
            for (const listener of listeners) listener(path);
          },
          onTrouble: () => undefined,
        });
        hints.add(['']);
        const onHint = (listener: (path: string) => void) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        };
        expect(await writeCanary({ root, onHint, signal })).toBe('heard');
        expect(listeners.size).toBe(0);
        expect(await readdir(root)).toEqual([]);
        await hints.stop();
      }));

    it('is silent where no hint comes, where it cannot be written, and when nobody waits any more', () =>
      withTestFolder(async (root) => {
        const onHint = () => () => undefined;
        expect(await writeCanary({ root, onHint, signal, waitMs: 20 })).toBe('silent');
        expect(await writeCanary({ root: join(root, 'none'), onHint, signal })).toBe('silent');
        expect(await writeCanary({ root, onHint, signal: AbortSignal.timeout(10) })).toBe('silent');
        expect(await readdir(root)).toEqual([]);
      }));
  });
});
