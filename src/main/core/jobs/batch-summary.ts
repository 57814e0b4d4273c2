import { hasEnded, type Job } from './job.ts';
import type { JobStore, JobEvent } from './job-store.ts';

/** What came of everything that was in the queue together. */
export interface BatchSummary {
  readonly done: number;
  /** Failed, or uncertain. */
  readonly needPerson: number;
}

/**
 * Tells once what came of a batch: all that was added until the queue ran empty. Jobs that a person cancelled are no news to them; a
 * batch of nothing else is none. Ends with the function it returns.
 */
export function summarizeBatches(
  store: Pick<JobStore, 'onEvent' | 'unfinished' | 'owns'>,
  onSummary: (summary: BatchSummary) => void,
): () => void {
  const open = new Set(store.unfinished());
  let done = 0;
  let needPerson = 0;

  function finish(): void {
    const summary = { done, needPerson };
    done = 0;
    needPerson = 0;
    if (summary.done + summary.needPerson > 0) onSummary(summary);
  }

  function take(job: Job): void {
    // What another process works on is its own to tell.
    if (!hasEnded(job)) {
      if (!open.has(job.id) && store.owns(job.id)) open.add(job.id);
    } else if (open.delete(job.id)) {
      if (job.state === 'done') done += 1;
      else if (job.state !== 'cancelled') needPerson += 1;
    }
  }

  return store.onEvent((news: JobEvent) => {
    const wasOpen = open.size > 0;
    if (news.kind === 'put') news.jobs.forEach(take);
    if (wasOpen && open.size === 0) finish();
  });
}
