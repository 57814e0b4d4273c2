import { hasEnded, isSuperseded, type Job } from './job.ts';
import type { JobStore, JobEvent } from './job-store.ts';

/** The outcomes of a batch of jobs. */
export interface BatchSummary {
  readonly done: number;
  /** Number of failed and uncertain jobs, without those of files that their watched folder decides about again. */
  readonly needAttention: number;
}

/**
 * Reports the outcomes of each batch, which is all jobs added until the queue is empty. Leaves out jobs that the
 * user cancelled, and batches of only such jobs. `isDecidedByFolder` says whether a watched folder decides about the
 * file of a job that was never sent. Returns a function that unsubscribes.
 */
export function summarizeBatches(
  store: Pick<JobStore, 'onEvent' | 'unfinished' | 'owns'>,
  isDecidedByFolder: (job: Job) => boolean,
  onSummary: (summary: BatchSummary) => void,
): () => void {
  const open = new Set(store.unfinished());
  let done = 0;
  let needAttention = 0;

  function finish(): void {
    const summary = { done, needAttention };
    done = 0;
    needAttention = 0;
    if (summary.done + summary.needAttention > 0) onSummary(summary);
  }

  function count(job: Job): void {
    // Each process reports only its own jobs.
    if (!hasEnded(job)) {
      if (!open.has(job.id) && store.owns(job.id)) open.add(job.id);
    } else if (open.delete(job.id)) {
      if (job.state === 'done') done += 1;
      else if (job.state !== 'cancelled' && !(isSuperseded(job) && isDecidedByFolder(job))) needAttention += 1;
    }
  }

  return store.onEvent((event: JobEvent) => {
    const wasOpen = open.size > 0;
    if (event.kind === 'upserted') event.jobs.forEach(count);
    if (wasOpen && open.size === 0) finish();
  });
}
