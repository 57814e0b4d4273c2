import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that is done in order, a few milliseconds at a time, so that a window never waits for ten thousand files. */
export interface LineOfWork {
  add(work: () => void): void;
  isEmpty(): boolean;
  /** Resolves when everything that was added is done. */
  empty(): Promise<void>;
  /** Forgets what was not begun. */
  stop(): void;
}

const sliceMs = 6;

export function createLineOfWork(onDefect: (error: unknown) => void): LineOfWork {
  const waiting: (() => void)[] = [];
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    await nextTurn();
    let began = performance.now();
    for (let work = waiting.shift(); work; work = waiting.shift()) {
      try {
        work();
      } catch (error) {
        onDefect(error);
      }
      if (performance.now() - began < sliceMs) continue;
      await nextTurn();
      began = performance.now();
    }
    running = null;
  }

  return {
    add(work) {
      waiting.push(work);
      running ??= run();
    },
    isEmpty: () => running === null,
    async empty() {
      while (running) await running;
    },
    stop: () => void waiting.splice(0),
  };
}
