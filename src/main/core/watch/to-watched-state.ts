import type { WatchedState, WatchWait } from '../../../shared/wire/watch.ts';
import type { Job } from '../jobs/job.ts';
import type { FileLine } from './file-line.ts';

/** A file as it is to be shown: its line, its job, and what it waits for just now. */
export interface FileView {
  readonly line: FileLine;
  readonly job: Job | undefined;
  readonly wait: WatchWait | undefined;
}

/** What became of a file, for a page. `budget` is what its folder has used and may use. */
export function toWatchedState(
  { line, job, wait }: FileView,
  budget: { readonly usedMinutes: number; readonly limitMinutes: number },
): WatchedState {
  switch (line.verdict) {
    case 'waiting':
      return { kind: 'waiting', wait: wait ?? { kind: 'turn' } };
    case 'budget':
      return { kind: 'waiting', wait: { kind: 'budget', ...budget } };
    case 'refused':
      return { kind: 'refused', problem: line.problem ?? { code: 'internal' } };
    case 'same-sound':
      return { kind: 'same-sound', as: line.sameAs ?? '' };
    case 'job':
      return ofJob(line, job);
    default:
      return { kind: line.verdict };
  }
}

function ofJob({ failures, nextTryAt, standing, sourceEnd, ...line }: FileLine, job: Job | undefined): WatchedState {
  const problem = job?.problem ?? { code: 'internal' };
  if (job?.state === 'failed' && nextTryAt !== null) return { kind: 'retrying', failures, at: nextTryAt, problem };
  if (job?.state === 'failed' && standing === 'attention') return { kind: 'quarantined', failures, problem };
  if (sourceEnd === 'stays') return { kind: 'source-stays', problem: line.problem ?? { code: 'internal' } };
  return { kind: 'job' };
}
