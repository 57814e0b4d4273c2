import { createHook } from 'node:async_hooks';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFsEvents, type FsEvent, writeCanary } from './fs-events.ts';
import { withTestFolder } from './scanner.fixture.ts';

describe('createFsEvents', () => {
  /** Records the events of a root. */
  function subscribe(root: string) {
    const received: FsEvent[] = [];
    const waiting = new Set<() => void>();
    const events = createFsEvents({
      root,
      isRecursive: true,
      platform: process.platform,
      onEvent(event) {
        received.push(event);
        for (const check of [...waiting]) check();
      },
      onLoss: () => undefined,
    });
    const waitFor = (path: string) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!received.some((event) => event.path === path)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    /** chokidar does not tell when a subscription takes effect, so this writes until an event arrives. */
    let probes = 0;
    const whenSubscribed = async (folder: string) => {
      const name = join(folder, `probe ${(probes += 1)}`);
      const event = waitFor(name).then(() => true);
      for (let isSubscribed = false; !isSubscribed;) {
        await writeFile(join(root, name), 'x');
        isSubscribed = await Promise.race([event, new Promise<false>((resolve) => setTimeout(resolve, 10, false))]);
      }
    };
    return { events, received, waitFor, whenSubscribed };
  }

  describe('events', () => {
    it('arrive from the added folders only', () =>
      withTestFolder(async (root) => {
        await mkdir(join(root, 'a', 'deep'), { recursive: true });
        await mkdir(join(root, 'b'));
        const { events, received, waitFor, whenSubscribed } = subscribe(root);
        events.add(['', 'a']);
        await Promise.all([whenSubscribed(''), whenSubscribed('a')]);
        await writeFile(join(root, 'b', 'unwatched.wav'), 'x');
        await writeFile(join(root, 'a', 'deep', 'unwatched.wav'), 'x');
        await writeFile(join(root, 'a', 'one.wav'), 'x');
        await waitFor(join('a', 'one.wav'));
        expect(received.filter(({ path }) => path.endsWith('unwatched.wav'))).toEqual([]);
        await events.stop();
      }));

    it('arrive from a folder that replaced another, once it is added again', () =>
      withTestFolder(async (root) => {
        await mkdir(join(root, 'a'));
        const { events, waitFor, whenSubscribed } = subscribe(root);
        events.add(['', 'a']);
        await whenSubscribed('a');
        await rm(join(root, 'a'), { recursive: true });
        await mkdir(join(root, 'a'));
        events.remove(['a']);
        events.add(['a']);
        await writeFile(join(root, 'a', 'first.wav'), 'x');
        await rename(join(root, 'a', 'first.wav'), join(root, 'first.wav'));
        await waitFor('first.wav');
        await whenSubscribed('a');
        await events.stop();
      }));

    it('arrive without a stat of the existing files', () =>
      withTestFolder(async (root) => {
        const files = 1000;
        for (let k = 0; k < files; k += 1) await writeFile(join(root, `${k}.wav`), 'x');
        const { events, whenSubscribed } = subscribe(root);
        let requests = 0;
        // Counts file system requests, by callback or promise.
        const counting = createHook({
          init: (_id, type) => void (requests += Number(type.startsWith('FSREQ'))),
        }).enable();
        events.add(['']);
        await whenSubscribed('');
        counting.disable();
        await events.stop();
        expect(requests).toBeLessThan(files);
      }));

    it('do not arrive after stop', () =>
      withTestFolder(async (root) => {
        const { events, received, whenSubscribed } = subscribe(root);
        events.add(['']);
        await whenSubscribed('');
        await events.stop();
        const before = received.length;
        await writeFile(join(root, 'late.wav'), 'x');
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(received).toHaveLength(before);
        events.add(['']);
        await events.whenAdded();
      }));
  });
});

describe('writeCanary', () => {
  const { signal } = new AbortController();

  describe('the canary', () => {
    it('is reported where events arrive, and leaves nothing behind', () =>
      withTestFolder(async (root) => {
        const listeners = new Set<(path: string) => void>();
        const events = createFsEvents({
          root,
          isRecursive: true,
          platform: process.platform,
          onEvent: ({ path }) => {
            for (const listener of listeners) listener(path);
          },
          onLoss: () => undefined,
        });
        events.add(['']);
        const onEvent = (listener: (path: string) => void) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        };
        expect(await writeCanary({ root, onEvent, signal })).toBe('reported');
        expect(listeners.size).toBe(0);
        expect(await readdir(root)).toEqual([]);
        await events.stop();
      }));

    it('is silent if no event arrives, if it cannot be written, and when it is aborted', () =>
      withTestFolder(async (root) => {
        const onEvent = () => () => undefined;
        expect(await writeCanary({ root, onEvent, signal, waitMs: 20 })).toBe('silent');
        expect(await writeCanary({ root: join(root, 'none'), onEvent, signal })).toBe('silent');
        expect(await writeCanary({ root, onEvent, signal: AbortSignal.timeout(10) })).toBe('silent');
        expect(await readdir(root)).toEqual([]);
      }));
  });
});
