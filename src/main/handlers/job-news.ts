import type { Contract } from '../../shared/contract.ts';
import type { Emitters } from '../../shared/contract-types.ts';
import { toJobInfo } from '../core/jobs/job-info.ts';
import type { JobStore } from '../core/jobs/job-store.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';

/** Rows in one message: 200 of them stay below the 256 kB that a message may have. */
const batchLength = 200;

/** Tells the pages what changes in the store. Ends with the function it returns. */
export function announceJobs(store: JobStore, media: MediaRegistry, emit: Emitters<Contract>['jobs']): () => void {
  return store.onNews((news) => {
    if (news.kind === 'removed') {
      emit.changed({ put: [], removed: news.ids });
      return;
    }
    for (let start = 0; start < news.jobs.length; start += batchLength) {
      const batch = news.jobs.slice(start, start + batchLength);
      emit.changed({ put: batch.map((job) => toJobInfo(job, media)), removed: [] });
    }
  });
}
