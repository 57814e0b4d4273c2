import { hasEnded, type Job } from '../jobs/job.ts';
import type { FileLine } from './file-line.ts';

/** What the end of a job, or its new beginning, means for the line of its file. */
export type JobJudgement =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'open' }
  | { readonly kind: 'done' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'uncertain' }
  /** The file was another one when it was to be sent: it goes to the gate again. */
  | { readonly kind: 'look-again' }
  | { readonly kind: 'retry'; readonly failures: number; readonly afterMs: number }
  | { readonly kind: 'quarantine'; readonly failures: number };

/** As often as a file is sent by itself. */
const maxFailures = 3;
const pausesMs = [10_000, 60_000];

/** What is wrong with the file itself does not pass while nobody changes it. */
const isLasting = (code: string): boolean => code.startsWith('input/') || code.startsWith('voice/');

export function judgeJob(job: Job, line: Pick<FileLine, 'standing' | 'nextTryAt' | 'failures'>): JobJudgement {
  if (!hasEnded(job))
    return line.standing === 'open' && line.nextTryAt === null ? { kind: 'nothing' } : { kind: 'open' };
  // Its end was told before.
  if (line.standing !== 'open' || line.nextTryAt !== null) return { kind: 'nothing' };
  if (job.state === 'done') return { kind: 'done' };
  if (job.state === 'cancelled') return { kind: 'cancelled' };
  if (job.state === 'uncertain') return { kind: 'uncertain' };
  const code = job.problem?.code ?? 'internal';
  if (code === 'input/changed' || code === 'input/missing') return { kind: 'look-again' };
  const failures = line.failures + 1;
  const afterMs = pausesMs[failures - 1];
  if (failures >= maxFailures || afterMs === undefined || isLasting(code)) return { kind: 'quarantine', failures };
  return { kind: 'retry', failures, afterMs };
}
