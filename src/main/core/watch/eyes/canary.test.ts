import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { singCanary } from './canary.ts';
import { createHints } from './hints.ts';
import { withTestFolder } from './test-eyes.ts';

const { signal } = new AbortController();

describe('the canary', () => {
  it('is heard where hints come, and leaves nothing behind', () =>
    withTestFolder(async (root) => {
      const listeners = new Set<(path: string) => void>();
      const hints = createHints({
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
      expect(await singCanary({ root, onHint, signal })).toBe('heard');
      expect(listeners.size).toBe(0);
      expect(await readdir(root)).toEqual([]);
      await hints.stop();
    }));

  it('is silent where no hint comes, where it cannot be written, and when nobody waits any more', () =>
    withTestFolder(async (root) => {
      const onHint = () => () => undefined;
      expect(await singCanary({ root, onHint, signal, waitMs: 20 })).toBe('silent');
      expect(await singCanary({ root: join(root, 'none'), onHint, signal })).toBe('silent');
      expect(await singCanary({ root, onHint, signal: AbortSignal.timeout(10) })).toBe('silent');
      expect(await readdir(root)).toEqual([]);
    }));
});
