import type { LongTaskProgress } from '../../shared/schemas/history.ts';
import type { JobProgress } from '../../shared/schemas/job.ts';

/** A list of listeners. If one throws, the others still receive the event. */
export function createListeners<T>(onError: (error: unknown) => void = reportLater): {
  add(listener: (value: T) => void): () => void;
  emit(value: T): void;
} {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit(value) {
      for (const listener of [...listeners]) {
        try {
          listener(value);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

/** Rethrows a listener's error as uncaught, after all listeners were called. */
function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

export interface Throttle {
  report(progress: JobProgress): void;
  stop(): void;
}

/** Ten times a second is as often as the user can read a number, and the maximum that the IPC contract promises. */
const intervalMs = 100;

/** Collects progress and sends the latest of each job, all jobs in one message, at most ten times a second. */
export function createThrottle(send: (progress: readonly JobProgress[]) => void): Throttle {
  const newest = new Map<string, JobProgress>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    const batch = [...newest.values()];
    newest.clear();
    send(batch);
  }

  return {
    report(progress) {
      newest.set(progress.id, progress);
      timer ??= setTimeout(flush, intervalMs);
    },
    stop() {
      clearTimeout(timer);
      newest.clear();
    },
  };
}

/** Called after each step of a long task. Must be as cheap as a call; the receiver skips most of them. */
export type OnProgress = (progress: Omit<LongTaskProgress, 'kind'>) => void;

/** Controls of a long operation: progress and cancellation. */
export interface LongTask {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}
