import { lstat, lstatSync, type BigIntStats } from 'node:fs';
import { createBreather } from './breather.ts';

interface Order {
  /** What was found at a path of the list; null with the error where nothing could be. */
  readonly onStats: (path: string, stats: BigIntStats | null, error: Error | null) => void;
  /** The disk is in this machine and answers at once. */
  readonly isLocal: boolean;
  readonly signal: AbortSignal;
}

/** More keep the four threads of the pool no busier, and a slow network drive is still asked for many at once. */
const atOnce = 16;

const statNow = (path: string, onStats: Order['onStats']) => {
  try {
    onStats(path, lstatSync(path, { bigint: true }), null);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    onStats(path, null, error);
  }
};

/** Without the way to another thread and back a look takes a third of the time; the loop turns every few milliseconds. */
async function lookInSlices(paths: readonly string[], { onStats, signal }: Order): Promise<void> {
  const breathe = createBreather(() => performance.now());
  for (const path of paths) {
    const pause = breathe();
    if (pause) await pause;
    if (signal.aborted) return;
    statNow(path, onStats);
  }
}

/** Callbacks, because promises take twice the time. */
const lookAside = (paths: readonly string[], { onStats, signal }: Order): Promise<void> =>
  new Promise((resolve) => {
    let next = 0;
    let running = 0;
    const goOn = () => {
      while (running < atOnce && next < paths.length && !signal.aborted) {
        const path = paths[next] ?? '';
        next += 1;
        running += 1;
        lstat(path, { bigint: true }, (error, stats) => {
          running -= 1;
          if (!signal.aborted) onStats(path, error ? null : stats, error);
          goOn();
        });
      }
      if (running === 0) resolve();
    };
    goOn();
  });

/** Looks at many paths, links themselves and not what they lead to. Ends early when the signal is aborted; never rejects. */
export const lstatEach = (paths: readonly string[], order: Order): Promise<void> =>
  order.isLocal ? lookInSlices(paths, order) : lookAside(paths, order);
