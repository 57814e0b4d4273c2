import { dirname } from 'node:path';
import { recoverOutput } from '../../outputs/recover-output.ts';
import type { Job } from '../job.ts';
import { filled, type Step } from './step.ts';

/**
 * The process before this one was killed while it gave the result its name: it has the name, or its temporary file is published
 * after all.
 */
export const recoverStep: Step<Job> = async (job, { store, commit }) => {
  const { path, how } = filled(job, 'a name', job.output);
  const found = await recoverOutput({
    folder: dirname(path),
    jobId: job.id,
    path,
    how,
    finished: filled(job, 'a finished file', job.finished),
  });
  return commit(() =>
    store.change(
      job.id,
      found === 'published' ? { state: 'done', audioUrl: null } : { state: 'converted', output: null },
    ),
  );
};
