import { openOutput, type FinishedOutput } from '../../outputs/pending-output.ts';
import { reopenOutput, type WaitingOutput } from '../../outputs/reopen-output.ts';
import { AppError } from '../../../../shared/app-error.ts';
import type { Job } from '../job.ts';
import { outputFolder, outputPathOf } from '../output-of-job.ts';
import { soundFormat } from './sound-format.ts';
import type { Step, StepContext } from './step.ts';

async function publish(
  job: Job,
  output: WaitingOutput,
  finished: FinishedOutput,
  { store }: StepContext,
): Promise<Job> {
  await output.publish({
    pathFor: (attempt) => outputPathOf(job, attempt),
    // Before the name is taken: after a kill it is known where to look, and that nothing else can be there in our name.
    onTaking: (path, how) =>
      void store.change(job.id, {
        state: 'publishing',
        finished,
        output: { path, how },
        outputFormat: job.outputFormat,
      }),
  });
  // The address has served its purpose, and where it is signed it is a secret.
  return store.change(job.id, { state: 'done', audioUrl: null });
}

/**
 * A file that is whole already: sound that came with the reply, or what a kill left while it was given its name. Undefined where it
 * is lost; sound that has no address cannot be had again without paying again, so its file stays whatever goes wrong.
 */
async function publishFinished(job: Job, finished: FinishedOutput, context: StepContext): Promise<Job | undefined> {
  const output = await reopenOutput(outputFolder(job), job.id, finished);
  return output && publish(job, output, finished, context);
}

/** Downloads into a temporary file, checks it, and gives it its name. */
export const downloadStep: Step<Job> = async (job, context, signal) => {
  const done = job.finished && (await publishFinished(job, job.finished, context));
  if (done) return done;
  if (job.audioUrl === null) {
    throw new AppError('service/result-gone', `the sound of job ${job.id} is no longer there`);
  }
  const output = await openOutput(outputFolder(job), job.id);
  try {
    await context.service.downloadResult(
      {
        audioUrl: job.audioUrl,
        write: output.write,
        onProgress: (doneBytes, totalBytes) =>
          context.onProgress({ id: job.id, direction: 'download', doneBytes, totalBytes }),
      },
      signal,
    );
    const finished = await output.finish();
    const format = await soundFormat(output.temporaryPath, signal);
    signal.throwIfAborted();
    // A piece of speech is called what it is; a conversion was asked for in a format.
    const named: Job = job.kind === 'speech' ? { ...job, outputFormat: format } : job;
    return await publish(named, output, finished, context);
  } catch (error) {
    await output.discard();
    throw error;
  }
};
