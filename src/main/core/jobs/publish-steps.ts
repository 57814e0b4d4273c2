import { dirname } from 'node:path';
import { AppError, type Problem } from '../../../shared/errors.ts';
import { isFormatName } from '../../../shared/schemas/settings.ts';
import { formatOfExtension, inputFormats } from '../../../shared/input-formats.ts';
import type { InspectSound } from '../../../sound/sound-inspector.ts';
import { type FinishedOutput, isFinishedFile, readChunks } from '../files/content.ts';
import { diskFull } from '../files/errno.ts';
import { freeBytes } from '../files/folders.ts';
import { openOutput, type PendingOutput, reopenOutput, type UnfinishedOutput } from '../files/pending-output.ts';
import { fileStampAt } from '../files/identity.ts';
import { discardTemporary, removeName } from '../files/publish.ts';
import { recoverOutput } from '../files/recover-output.ts';
import type { Attended } from '../files/attendance.ts';
import { type Job, outputFolder, outputPathOf } from './job.ts';
import { throwIfReadOnly } from './space-reservations.ts';
import { filled, type Step, type StepContext } from './step.ts';

/** The warning that a usable result keeps, such as late subtitles. */
const warningOf = ({ problem }: Job): Problem | null => (problem?.code === 'speech/late-cues' ? problem : null);

/** Gives a finished file the first free name that also differs in more than case from all other results. */
async function publish(
  job: Job,
  output: UnfinishedOutput,
  finished: FinishedOutput,
  context: StepContext,
): Promise<Job> {
  const { store, commit } = context;
  const problem = warningOf(job);
  let skipped = 0;
  const pathFor = async (attempt: number): Promise<string> => {
    let path = outputPathOf(job, attempt + skipped);
    while (!(await commit(() => store.reserveName(job.id, path)))) {
      skipped += 1;
      path = outputPathOf(job, attempt + skipped);
    }
    return path;
  };
  await context.assertFolder(job);
  await output.publish({
    pathFor,
    // Committed before the file is renamed, so that after a crash the recovery knows where to look.
    onReserve: async (path, method) => {
      const { outputFormat, durationSeconds } = job;
      const output = { path, method };
      await commit(() =>
        store.change(job.id, { state: 'publishing', finished, output, outputFormat, durationSeconds, problem }),
      );
    },
  });
  // Clears the URL, which may be signed and thus secret. The file and its name are synced to disk: if a power
  // cut undoes this commit, `recoverStep` finds them.
  return commit(() => store.changeRelaxed(job.id, { state: 'done', audioUrl: null, problem }));
}

interface SoundFacts {
  /** With its leading dot. */
  readonly format: string;
  /** Null if unknown. */
  readonly durationSeconds: number | null;
}

/**
 * Returns the format and length of a downloaded file: the detected format, or the requested one if Timbre cannot
 * detect that. Throws `service/result-incomplete` or `service/result-not-audio` if the file is not complete audio.
 */
async function soundFacts(
  path: string,
  requested: string | null,
  signal: AbortSignal,
  inspectSound: InspectSound,
): Promise<SoundFacts> {
  const found = await inspectSound(path, { signal });
  if (found.kind === 'sound') return { format: `.${found.format}`, durationSeconds: found.durationSeconds ?? null };
  const name = requested?.slice(1).toLowerCase() ?? '';
  const isForeign = isFormatName(name) && !(inputFormats as readonly string[]).includes(name);
  if (isForeign && found.code === 'input/not-audio') return { format: `.${name}`, durationSeconds: null };
  const isIncomplete = found.code === 'input/cut' || found.code === 'input/empty';
  throw new AppError(
    isIncomplete ? 'service/result-incomplete' : 'service/result-not-audio',
    `the result is ${found.code}`,
    { facts: { ...found.facts } },
  );
}

/**
 * Syncs a received file to disk and examines it meanwhile. Throws what `finish` and `soundFacts` throw; the file is
 * then still to be discarded.
 */
export async function finishSound(
  output: PendingOutput,
  requested: string | null,
  signal: AbortSignal,
  inspectSound: InspectSound,
): Promise<SoundFacts & { readonly finished: FinishedOutput }> {
  await output.flush();
  const detecting = soundFacts(output.temporaryPath, requested, signal, inspectSound);
  // Awaited below, unless the disk fails first.
  detecting.catch(() => undefined);
  const finished = await output.finish();
  return { finished, ...(await detecting) };
}

/**
 * Publishes a file that is already complete: audio from the reply itself, or a file whose publishing a crash
 * interrupted. Undefined if it is lost. Keeps the file on errors if it has no URL to fetch it from again.
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
 * Downloads into the file and verifies it. If it does not fit on the disk, throws `output/disk-full` with the
 * required size, so that the queue resumes once that much is free; before writing anything if the size is known.
 */
async function download(
  job: Job,
  audioUrl: string,
  output: PendingOutput,
  { service, inspectSound, onProgress }: StepContext,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof finishSound>>> {
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
    const requested = job.kind === 'conversion' ? job.outputFormat : null;
    return await finishSound(output, requested, signal, inspectSound);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'output/disk-full' || announced.bytes === null) throw error;
    const reason = error.problem.facts?.['reason'];
    throw diskFull(folder, announced.bytes, typeof reason === 'string' ? reason : undefined);
  }
}

/** Throws `output/folder-missing` instead of an error that this caused: the folder of a job's result or its disk went away. */
export async function unlessMissing<T>(
  job: Job,
  { assertFolder }: Pick<StepContext, 'assertFolder'>,
  work: () => Promise<T>,
): Promise<T> {
  await assertFolder(job);
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('output/')) await assertFolder(job);
    throwIfReadOnly(error, outputFolder(job));
    throw error;
  }
}

/** Runs `work` in the folder of a job's result, however long its disk takes. Throws as `unlessMissing`. */
const inOutputFolder = <T>(
  job: Job,
  context: StepContext,
  signal: AbortSignal,
  work: (attended: Attended) => Promise<T>,
): Promise<T> => context.attend(job, signal, (attended) => unlessMissing(job, context, () => work(attended)));

/** Copies the sound of a reply, which this folder did not take when it arrived. Throws `service/result-gone` if it is no longer there. */
async function copyKept(
  job: Job,
  output: PendingOutput,
  context: StepContext,
  signal: AbortSignal,
): ReturnType<typeof finishSound> {
  const path = context.takes.replyPath(job.connection.id, job.id);
  const stamp = await fileStampAt(path);
  if (!stamp || !job.finished || !(await isFinishedFile(path, stamp, job.finished)))
    throw new AppError('service/result-gone', `the sound of job ${job.id} is no longer there`);
  for await (const chunk of readChunks(path)) await output.write(chunk);
  return finishSound(output, null, signal, context.inspectSound);
}

/** Downloads into a temporary file, verifies it and publishes it. */
export async function downloadStep(job: Job, context: StepContext, signal: AbortSignal): Promise<Job> {
  const { audioUrl } = job;
  const done = await publishResult(job, context, signal, (output, attended) =>
    audioUrl === null ? copyKept(job, output, context, attended) : download(job, audioUrl, output, context, attended),
  );
  // Otherwise it is removed at the next start.
  if (audioUrl === null) await removeName(context.takes.replyPath(job.connection.id, job.id)).catch(() => undefined);
  return done;
}

/** Publishes the job's file if it is complete. Otherwise `receive` writes and finishes it first. */
export function publishResult(
  job: Job,
  context: StepContext,
  signal: AbortSignal,
  receive: (output: PendingOutput, signal: AbortSignal) => ReturnType<typeof finishSound>,
): Promise<Job> {
  return inOutputFolder(job, context, signal, async (attended) => {
    const done = await publishFinished(job, context);
    if (done) return done;
    const output = await openOutput(outputFolder(job), job.id, attended.onTransferred);
    try {
      const { finished, format, durationSeconds } = await receive(output, attended.signal);
      attended.signal.throwIfAborted();
      // The extension is that of the real format, whatever was requested; a requested one that also stands for it is kept.
      const requested = job.outputFormat?.slice(1).toLowerCase() ?? '';
      const keepsFormat = job.kind === 'conversion' && formatOfExtension(requested) === format.slice(1);
      const named: Job = keepsFormat ? job : { ...job, outputFormat: format };
      return await publish(job.kind === 'speech' ? { ...named, durationSeconds } : named, output, finished, context);
    } catch (error) {
      await output.discard();
      throw error;
    }
  });
}

/**
 * Continues after an interruption while publishing: the result has its name, and the job is done; or its temporary
 * file is still to be published.
 */
export const recoverStep: Step<Job> = (job, context, signal) =>
  inOutputFolder(job, context, signal, () => recoverInFolder(job, context));

/** Like `recoverStep`; takes a folder that is gone for an unpublished result. */
export const recover: Step<Job> = (job, context, signal) =>
  context.attend(job, signal, () => recoverInFolder(job, context));

async function recoverInFolder(job: Job, { store, commit }: StepContext): Promise<Job> {
  const { path, method } = filled(job, 'a name', job.output);
  const found = await recoverOutput({
    folder: dirname(path),
    jobId: job.id,
    path,
    method,
    finished: filled(job, 'a finished file', job.finished),
  });
  return commit(() =>
    store.change(
      job.id,
      found === 'published'
        ? { state: 'done', audioUrl: null, problem: warningOf(job) }
        : { state: 'converted', output: null },
    ),
  );
}
