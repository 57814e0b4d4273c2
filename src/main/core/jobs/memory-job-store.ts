import { AppError } from '../../../shared/app-error.ts';
import type { Clock } from '../clock.ts';
import { createListeners } from '../listeners.ts';
import { hasEnded, type Job } from './job.ts';
import type { JobStore, StoreNews } from './job-store.ts';

/** Jobs in memory, gone with the process. */
export function createMemoryJobStore({ clock }: { readonly clock: Clock }): JobStore {
  // Insertion order is queue order: jobs are only ever added at the end.
  const jobs = new Map<string, Job>();
  const queued = new Set<string>();
  const listeners = createListeners<StoreNews>();
  let lastOrder = 0;

  function keep(job: Job): Job {
    jobs.set(job.id, job);
    if (job.state === 'queued') queued.add(job.id);
    else queued.delete(job.id);
    return job;
  }

  return {
    add(added) {
      const now = clock.now();
      const kept = added.map((job) => keep({ ...job, order: ++lastOrder, revision: 1, createdAt: now }));
      if (kept.length > 0) listeners.tell({ kind: 'put', jobs: kept });
      return kept;
    },
    get: (id) => jobs.get(id),
    change(id, change) {
      const before = jobs.get(id);
      if (!before) throw new AppError('job/not-found', `no job ${id}`);
      const since = change.state && change.state !== before.state ? clock.now() : before.since;
      const job = keep({ ...before, since, ...change, revision: before.revision + 1 });
      listeners.tell({ kind: 'put', jobs: [job] });
      return job;
    },
    remove(ids) {
      const removed = ids.filter((id) => {
        const job = jobs.get(id);
        return job !== undefined && hasEnded(job) && jobs.delete(id);
      });
      if (removed.length > 0) listeners.tell({ kind: 'removed', ids: removed });
    },
    page(after, limit) {
      const found: Job[] = [];
      for (const job of jobs.values()) {
        if (after !== null && job.order <= after) continue;
        found.push(job);
        if (found.length === limit) break;
      }
      return found;
    },
    // A job that comes back to the queue stands at its end.
    *queued() {
      for (const id of queued) {
        const job = jobs.get(id);
        if (job) yield job;
      }
    },
    onNews: listeners.add,
  };
}
