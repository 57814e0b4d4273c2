import type { LongTaskProgress } from '../../shared/schemas/history.ts';
import type { JobProgress } from '../../shared/schemas/job.ts';

/** A list of listeners with one way in and one way out. A listener that throws does not keep the news from the others. */
export function createListeners<T>(onError: (error: unknown) => void = reportLater): {
  add(listener: (value: T) => void): () => void;
  tell(value: T): void;
} {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(value) {
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

/** An error in a listener is a defect: it ends up where uncaught errors do, after everyone was told. */
function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

export interface Throttle {
  report(progress: JobProgress): void;
  stop(): void;
}

/** Ten times a second is as often as a person sees a number change, and what the bridge promises at most. */
const intervalMs = 100;

/** Collects progress and hands on the newest of each job, all jobs in one message, at most ten times a second. */
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

/** Told after each step of work that takes a while, and as cheap as a call: whoever shows it passes most of them over. */
export type TellProgress = (progress: Omit<LongTaskProgress, 'kind'>) => void;
