import type { JobProgress } from '../../../shared/wire/job.ts';

export interface ProgressGate {
  report(progress: JobProgress): void;
  stop(): void;
}

/** Ten times a second is as often as a person sees a number change, and what the bridge promises at most. */
const intervalMs = 100;

/** Collects progress and hands on the newest of each job, all jobs in one message, at most ten times a second. */
export function createProgressGate(send: (progress: readonly JobProgress[]) => void): ProgressGate {
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
