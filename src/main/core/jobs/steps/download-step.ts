import { AppError } from '../../../../shared/app-error.ts';
import { isOutputFormat } from '../../../../sound/sound-format.ts';
import { discardTemporary } from '../../outputs/discard-temporary.ts';
import { freeBytes } from '../../outputs/free-bytes.ts';
import { diskFull } from '../../outputs/output-error.ts';
import { openOutput, type FinishedOutput, type PendingOutput } from '../../outputs/pending-output.ts';
import { reopenOutput } from '../../outputs/reopen-output.ts';
import type { Job } from '../job.ts';
import { outputFolder } from '../output-of-job.ts';
import { publish } from './publish.ts';
import { soundFormat } from './sound-format.ts';
import type { Step, StepContext } from './step.ts';

/**
 * A file that is whole already: sound that came with the reply, or what a kill left while it was given its name. Undefined where it
 * is lost. Sound that has no address cannot be had again without paying again, so its file stays whatever goes wrong.
 */
async function publishFinished(job: Job, context: StepContext): Promise<Job | undefined> {
  const folder = outputFolder(job);
  const output = job.finished && (await reopenOutput(folder, job.id, job.finished));
  if (!job.finished || !output) return undefined;
  try {
    return await publish(job, output, job.finished, context);
  } catch (error) {
    if (job.audioUrl !== null) await discardTemporary(folder, job.id).catch(() => undefined);
    throw error;
  }
}

/**
 * Downloads into the file. A disk that cannot take it all says how much it needs, before it is full where that can be seen: the queue
 * goes on as soon as there is so much room.
 */
async function download(
  job: Job,
  audioUrl: string,
  output: PendingOutput,
  { service, onProgress }: StepContext,
  signal: AbortSignal,
): Promise<FinishedOutput> {
  const folder = outputFolder(job);
  const announced: { bytes: number | null } = { bytes: null };
  let isFirst = true;
  try {
    await service.downloadResult(
      {
        audioUrl,
        async write(chunk) {
          const { bytes } = announced;
          if (isFirst && bytes !== null && (await freeBytes(folder)) < bytes) throw diskFull(folder, bytes);
          isFirst = false;
          await output.write(chunk);
        },
        onProgress(doneBytes, totalBytes) {
          announced.bytes = totalBytes;
          onProgress({ id: job.id, direction: 'download', doneBytes, totalBytes });
        },
      },
      signal,
    );
    return await output.finish();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'output/disk-full' || announced.bytes === null) throw error;
    const reason = error.problem.facts?.['reason'];
    throw diskFull(folder, announced.bytes, typeof reason === 'string' ? reason : undefined);
  }
}

/** Downloads into a temporary file, checks it, and gives it its name. */
export const downloadStep: Step<Job> = async (job, context, signal) => {
  const done = await publishFinished(job, context);
  if (done) return done;
  if (job.audioUrl === null) {
    throw new AppError('service/result-gone', `the sound of job ${job.id} is no longer there`);
  }
  const output = await openOutput(outputFolder(job), job.id);
  try {
    const finished = await download(job, job.audioUrl, output, context, signal);
    const asked = job.kind === 'conversion' ? job.outputFormat : null;
    const format = await soundFormat(output.temporaryPath, asked, signal, context.look);
    signal.throwIfAborted();
    // A piece of speech is called what it is; a conversion was asked for in a format, which it may not be in all the same.
    const isCalledSo = job.kind === 'conversion' && isOutputFormat(format.slice(1));
    const named: Job = isCalledSo ? job : { ...job, outputFormat: format };
    return await publish(named, output, finished, context);
  } catch (error) {
    await output.discard();
    throw error;
  }
};
