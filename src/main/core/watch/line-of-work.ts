import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WriteGate } from '../database/write-gate.ts';

/**
 * Work that is done in order, a few milliseconds at a time, so that a window never waits for ten thousand files. While the database
 * cannot be written, all of it waits: what was told of a file is told once, and whoever forgets it loses a recording.
 */
export interface LineOfWork {
  /** What throws because the database cannot be written is done again from its beginning. */
  add(work: () => void): void;
  isEmpty(): boolean;
  /** Resolves when everything that was added is done. */
  empty(): Promise<void>;
  /** Forgets what was not begun. */
  stop(): void;
}

const sliceMs = 6;

export function createLineOfWork(writes: Pick<WriteGate, 'commit'>, onDefect: (error: unknown) => void): LineOfWork {
  const waiting: (() => void)[] = [];
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    await nextTurn();
    let began = performance.now();
    for (let work = waiting.shift(); work; work = waiting.shift()) {
      try {
        await writes.commit(work, stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) onDefect(error);
      }
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
    async empty() {
      while (running) await running;
    },
    stop() {
      waiting.length = 0;
      stopping.abort(new Error('stopped'));
    },
  };
}
