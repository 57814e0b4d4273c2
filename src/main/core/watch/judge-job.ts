import { hasEnded, type Job } from '../jobs/job.ts';
import type { FileLine } from './file-line.ts';

/** What the end of a job, or its new beginning, means for the line of its file. */
export type JobJudgement =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'open' }
  | { readonly kind: 'done' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'uncertain' }
  /** The file was not there to be sent as it was taken up: it goes to the gate again. */
  | { readonly kind: 'look-again' }
  | { readonly kind: 'retry'; readonly failures: number; readonly afterMs: number }
  | { readonly kind: 'quarantine'; readonly failures: number };

/** As often as a file is sent by itself. */
const maxFailures = 3;
const pausesMs = [10_000, 60_000];

/** What is wrong with the file itself does not pass while nobody changes it. */
const isLasting = (code: string): boolean => code.startsWith('input/') || code.startsWith('voice/');

/**
 * True where the recording could not be sent as it was taken up, and so nothing was paid for it. It is another one by now, or its folder
 * is away for a while, with all of its files: the gate tells which, and waits for the folder.
 */
export const isUnsent = ({ state, problem }: Pick<Job, 'state' | 'problem'>): boolean =>
  state === 'failed' &&
  (problem?.code === 'input/changed' || problem?.code === 'input/missing' || problem?.code === 'input/unreadable');

export function judgeJob(job: Job, line: Pick<FileLine, 'standing' | 'nextTryAt' | 'failures'>): JobJudgement {
  if (!hasEnded(job))
    return line.standing === 'open' && line.nextTryAt === null ? { kind: 'nothing' } : { kind: 'open' };
  // Its end was told before.
  if (line.standing !== 'open' || line.nextTryAt !== null) return { kind: 'nothing' };
  if (job.state === 'done') return { kind: 'done' };
  if (job.state === 'cancelled') return { kind: 'cancelled' };
  if (job.state === 'uncertain') return { kind: 'uncertain' };
  if (isUnsent(job)) return { kind: 'look-again' };
  const code = job.problem?.code ?? 'internal';
  const failures = line.failures + 1;
  const afterMs = pausesMs[failures - 1];
  if (failures >= maxFailures || afterMs === undefined || isLasting(code)) return { kind: 'quarantine', failures };
  return { kind: 'retry', failures, afterMs };
}
