import { basename } from 'node:path';
import { type Job, nameOf } from '../../main/core/jobs/job.ts';

/** What a job is called in a line about it: its file, or the first words of its text. */
export const jobName = (job: Job): string => (job.kind === 'conversion' ? basename(job.source.path) : nameOf(job));
