import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WriteGate } from '../database/write-gate.ts';

/**
 * Runs work in order, a few milliseconds at a time, so that the window never waits for ten thousand files. Blocks
 * while the database is not writable: scanner events are delivered once, so dropping one would lose a recording.
 */
export interface WriteQueue {
  /**
   * `work` that throws because the database is not writable runs again from its start. What comes after work that waits for a promise
   * waits, too.
   */
  add(work: () => void | Promise<void>): void;
  /** Adds the steps of long work, each in a turn of its own, before all other work. Called by work, as the last thing it does. */
  addNext(steps: readonly (() => void)[]): void;
  isEmpty(): boolean;
  /** Resolves when all added work is done. */
  whenEmpty(): Promise<void>;
  /** Drops work that has not started. */
  stop(): void;
}

const sliceMs = 6;

export function createWriteQueue(writes: Pick<WriteGate, 'commit'>, onDefect: (error: unknown) => void): WriteQueue {
  const waiting: (() => void | Promise<void>)[] = [];
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
    addNext(steps) {
      if (!stopping.signal.aborted) waiting.unshift(...steps);
    },
    isEmpty: () => running === null,
    async whenEmpty() {
      while (running) await running;
    },
    stop() {
      waiting.length = 0;
      stopping.abort(new Error('stopped'));
    },
  };
}
