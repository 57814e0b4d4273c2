import type { Contract } from '../../shared/contract.ts';
import type { Emitters } from '../../shared/contract-types.ts';
import { toJobInfo } from '../core/jobs/job-info.ts';
import { rowsInMessage } from './rows-in-message.ts';
import type { JobStore } from '../core/jobs/job-store.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';

/** Tells the pages what changes in the store. Ends with the function it returns. */
export function announceJobs(store: JobStore, media: MediaRegistry, emit: Emitters<Contract>['jobs']): () => void {
  return store.onNews((news) => {
    if (news.kind === 'removed') {
      emit.changed({ put: [], removed: news.ids });
      return;
    }
    for (let start = 0; start < news.jobs.length; start += rowsInMessage) {
      const batch = news.jobs.slice(start, start + rowsInMessage);
      emit.changed({ put: batch.map((job) => toJobInfo(job, media)), removed: [] });
    }
  });
}
