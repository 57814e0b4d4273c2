import type { FinishedOutput } from '../../outputs/pending-output.ts';
import type { WaitingOutput } from '../../outputs/reopen-output.ts';
import type { Job } from '../job.ts';
import { outputPathOf } from '../output-of-job.ts';
import type { StepContext } from './step.ts';

/** Gives a finished file its name: the first that is free in the folder, and that no other result of ours has but for its case. */
export async function publish(
  job: Job,
  output: WaitingOutput,
  finished: FinishedOutput,
  { store, commit }: StepContext,
): Promise<Job> {
  let skipped = 0;
  const pathFor = async (attempt: number): Promise<string> => {
    let path = outputPathOf(job, attempt + skipped);
    while (!(await commit(() => store.claimName(job.id, path)))) {
      skipped += 1;
      path = outputPathOf(job, attempt + skipped);
    }
    return path;
  };
  await output.publish({
    pathFor,
    // Before the name is taken: after a kill it is known where to look, and that nothing else can be there in our name.
    onTaking: async (path, how) => {
      const { outputFormat } = job;
      await commit(() => store.change(job.id, { state: 'publishing', finished, output: { path, how }, outputFormat }));
    },
  });
  // The address has served its purpose, and where it is signed it is a secret. The file and its name are on the disk by now: a power
  // cut that takes this back finds them there (`recoverStep`).
  return commit(() => store.note(job.id, { state: 'done', audioUrl: null }));
}
