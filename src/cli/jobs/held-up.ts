import { hasEnded, type Job } from '../../main/core/jobs/job.ts';
import type { Problem } from '../../shared/errors.ts';
import type { Pause } from '../../shared/schemas/job.ts';

/** How a batch ended: all of it has (null), a pause holds up what is left, or the process was told to go. */
export type BatchEnd = Pause | 'left' | null;

/** What went wrong with a job, or holds it up where it has not ended; null where nothing does. */
export const heldUp = (job: Job, end: BatchEnd): Problem | null =>
  hasEnded(job) || end === 'left' ? job.problem : (end?.problem ?? job.problem);
