import type { Problem } from '../../../shared/problem.ts';
import { discardTemporary } from '../outputs/discard-temporary.ts';
import type { Job } from './job.ts';
import { unknownOutcome, type Outcome } from './outcome.ts';
import { outputFolder } from './output-of-job.ts';

/**
 * What becomes of a job whose process was killed in this state; null where its step can simply be done again. Whether a paid call that
 * was flagged was carried out, nobody knows.
 */
export function outcomeOfKill(job: Job): Outcome | null {
  if (job.state !== 'converting') return null;
  const problem: Problem = { code: 'network/cut' };
  const outcome = unknownOutcome(job, problem, () => 0);
  return outcome.kind === 'failed' ? { kind: 'uncertain', problem, stopsQueue: false } : outcome;
}

/** Removes what a killed process left half written. A finished file is wanted. */
export async function sweepAfterKill(job: Job): Promise<void> {
  const isWriting = job.state === 'converted' || (job.kind === 'speech' && job.state === 'converting');
  if (isWriting && job.finished === null) await discardTemporary(outputFolder(job), job.id);
}
