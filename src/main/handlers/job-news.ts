import type { Contract } from '../../shared/contract.ts';
import type { Emitters } from '../../shared/contract-types.ts';
import { toJobInfo } from '../core/jobs/job-info.ts';
import type { Queue } from '../core/jobs/create-queue.ts';
import { toPause } from '../core/jobs/pauses.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import { rowsInMessage } from './rows-in-message.ts';

/** Tells the pages what changes in the queue, for as long as it is open. */
export function announceJobs(
  { store, pauses }: Pick<Queue, 'store' | 'pauses'>,
  media: MediaRegistry,
  emit: Emitters<Contract>['jobs'],
): void {
  store.onNews((news) => {
    if (news.kind === 'removed') {
      emit.changed({ put: [], removed: news.ids });
      return;
    }
    if (news.kind !== 'put') return;
    for (let start = 0; start < news.jobs.length; start += rowsInMessage) {
      const batch = news.jobs.slice(start, start + rowsInMessage);
      emit.changed({ put: batch.map((job) => toJobInfo(job, media)), removed: [] });
    }
  });
  pauses.onChanged((held) => emit.pausesChanged(held.map(toPause)));
}
