import type { JobProgress } from '../../../../src/shared/schemas/job.ts';
import type { QueueFigures } from './queue-order.ts';

const pollMs = 5;

/** Watches this process at work. */
export interface Measure {
  onProgress(progress: JobProgress): void;
  /** Ends it; may be asked again. */
  stop(): QueueFigures;
}

export function createMeasure(): Measure {
  const rss = () => process.memoryUsage.rss();
  const startBytes = rss();
  let peakBytes = startBytes;
  const look = () => (peakBytes = Math.max(peakBytes, rss()));
  const timer = setInterval(look, pollMs);
  timer.unref();
  const last = new Map<string, number>();
  let progressNews = 0;
  let isMonotone = true;
  return {
    onProgress(progress) {
      const key = `${progress.id} ${progress.direction}`;
      const done = progress.direction === 'speech' ? progress.donePassages : progress.doneBytes;
      if (done < (last.get(key) ?? 0)) isMonotone = false;
      last.set(key, done);
      progressNews += 1;
    },
    stop() {
      clearInterval(timer);
      look();
      return { startBytes, peakBytes, progressNews, isMonotone };
    },
  };
}
