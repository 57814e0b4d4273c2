import type { Job } from './job.ts';

export type JobChange = Partial<Omit<Job, 'id' | 'order' | 'revision' | 'createdAt'>>;

export type StoreNews =
  | { readonly kind: 'put'; readonly jobs: readonly Job[] }
  | { readonly kind: 'removed'; readonly ids: readonly string[] };

/**
 * Where jobs are kept. Everything is synchronous: a change is kept before the call returns, so that whoever makes one may act on it
 * in the next line.
 */
export interface JobStore {
  /** Adds jobs at the end of the queue; the store gives `order`, `revision` and `createdAt`. */
  add(jobs: readonly Omit<Job, 'order' | 'revision' | 'createdAt'>[]): readonly Job[];
  get(id: string): Job | undefined;
  /** Changes a job. A change of `state` sets `since`. Throws `job/not-found` where there is none. */
  change(id: string, change: JobChange): Job;
  /** Removes jobs that have ended; others stay. */
  remove(ids: readonly string[]): void;
  /** Up to `limit` jobs behind `order` (exclusive; null starts at the first), ascending. */
  page(after: number | null, limit: number): readonly Job[];
  /** Queued jobs, first in line first; one that came back to the queue stands at its end. */
  queued(): Iterable<Job>;
  onNews(listener: (news: StoreNews) => void): () => void;
}
