import type { WatchedFileState, WatchWait } from '../../../shared/schemas/watch.ts';
import type { Hours } from '../../../shared/text/hours.ts';
import type { Job } from '../jobs/job.ts';
import type { FileRecord } from './file-record.ts';

/** A file for display: its record, its job and what it currently waits for. */
export interface WatchedFileView {
  readonly record: FileRecord;
  readonly job: Job | undefined;
  readonly wait: WatchWait | undefined;
}

/** What a folder allows now. */
export interface Allowance {
  readonly usedMinutes: number;
  readonly limitMinutes: number;
  /** Set outside these hours. */
  readonly hours: Hours | null;
}

/** State of a file for the page. */
export function toWatchedState(
  { record, job, wait }: WatchedFileView,
  { hours, ...budget }: Allowance,
): WatchedFileState {
  switch (record.decision) {
    case 'waiting':
      return { kind: 'waiting', wait: wait ?? { kind: 'turn' } };
    case 'budget':
      return { kind: 'waiting', wait: hours ? { kind: 'hours', hours } : { kind: 'budget', ...budget } };
    case 'refused':
      return { kind: 'refused', problem: record.problem ?? { code: 'internal' } };
    case 'same-sound':
      return { kind: 'same-sound', as: record.duplicateOf ?? '' };
    case 'job':
      return jobState(record, job);
    default:
      return { kind: record.decision };
  }
}

function jobState(
  { failures, nextTryAt, stage, disposalState, ...record }: FileRecord,
  job: Job | undefined,
): WatchedFileState {
  const problem = job?.problem ?? { code: 'internal' };
  // Whether to pay again is asked before anything else.
  if (job?.state === 'uncertain') return { kind: 'job' };
  if (job?.state === 'failed' && nextTryAt !== null) return { kind: 'retrying', failures, at: nextTryAt, problem };
  if (job?.state === 'failed' && stage === 'attention') return { kind: 'quarantined', failures, problem };
  if (stage === 'attention' && record.problem?.code === 'table/bad-rows')
    return { kind: 'refused', problem: record.problem };
  if (disposalState === 'stays') return { kind: 'source-stays', problem: record.problem ?? { code: 'internal' } };
  return { kind: 'job' };
}
