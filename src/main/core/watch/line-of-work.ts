import { setImmediate as nextTurn } from 'node:timers/promises';
import { cannotWrite } from '../database/cannot-write.ts';
import { createNap } from './eyes/nap.ts';

/**
 * Work that is done in order, a few milliseconds at a time, so that a window never waits for ten thousand files. While the database
 * cannot be written, all of it waits: what was told of a file is told once, and whoever forgets it loses a recording.
 */
export interface LineOfWork {
  /** What throws because the database cannot be written is done again from its beginning. */
  add(work: () => void): void;
  isEmpty(): boolean;
  /** The database cannot be written. */
  isHeld(): boolean;
  /** Resolves when everything that was added is done. */
  empty(): Promise<void>;
  /** Forgets what was not begun. */
  stop(): void;
}

const sliceMs = 6;
const againMs = 1000;

export function createLineOfWork(onDefect: (error: unknown) => void): LineOfWork {
  const waiting: (() => void)[] = [];
  const stopping = new AbortController();
  const nap = createNap(stopping.signal);
  let isHeld = false;
  let running: Promise<void> | null = null;

  /** False where it has to be done again. */
  function isDone(work: () => void): boolean {
    try {
      work();
    } catch (error) {
      const isFirst = !isHeld;
      isHeld = cannotWrite(error);
      if (isFirst || !isHeld) onDefect(error);
      return !isHeld;
    }
    isHeld = false;
    return true;
  }

  async function run(): Promise<void> {
    await nextTurn();
    let began = performance.now();
    for (let [work] = waiting; work; [work] = waiting) {
      if (isDone(work)) waiting.shift();
      else await nap.sleep(againMs);
      if (performance.now() - began < sliceMs) continue;
      await nextTurn();
      began = performance.now();
    }
    running = null;
  }

  return {
    add(work) {
      if (stopping.signal.aborted) return;
      waiting.push(work);
      running ??= run();
    },
    isEmpty: () => running === null,
    isHeld: () => isHeld,
    async empty() {
      while (running) await running;
    },
    stop() {
      waiting.length = 0;
      stopping.abort(new Error('stopped'));
    },
  };
}
