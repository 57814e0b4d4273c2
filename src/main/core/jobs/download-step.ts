import { dirname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { JobProgress } from '../../../shared/schemas/job.ts';
import { isFormatName } from '../../../shared/schemas/settings.ts';
import { inputFormats, isOutputFormat } from '../../../sound/sound-format.ts';
import type { LookAtSound } from '../../../sound/sound-looks.ts';
import { diskFull } from '../files/errno.ts';
import { freeBytes } from '../files/folders.ts';
import {
  type FinishedOutput,
  openOutput,
  type PendingOutput,
  reopenOutput,
  type UnfinishedOutput,
} from '../files/pending-output.ts';
import { discardTemporary } from '../files/publish.ts';
import { recoverOutput } from '../files/recover-output.ts';
import type { VoiceService } from '../voice-service/voice-service.ts';
import type { JobChange, JobStore } from './job-store.ts';
import { type Job, outputFolder, outputPathOf } from './job.ts';

/** Gives a finished file its name: the first that is free in the folder, and that no other result of ours has but for its case. */
export async function publish(
  job: Job,
  output: UnfinishedOutput,
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
  return commit(() => store.changeRelaxed(job.id, { state: 'done', audioUrl: null }));
}

/**
 * The format of a result that arrived, with its leading dot: what it is, or, where it was asked for in a format that Timbre does not
 * know, that one. Throws `service/result-incomplete` or `service/result-not-audio` where it
 * is not a whole sound.
 */
export async function soundFormat(
  path: string,
  asked: string | null,
  signal: AbortSignal,
  look: LookAtSound,
): Promise<string> {
  const found = await look(path, { signal });
  if (found.kind === 'sound') return `.${found.format}`;
  const name = asked?.slice(1).toLowerCase() ?? '';
  const isForeign = isFormatName(name) && !(inputFormats as readonly string[]).includes(name);
  if (isForeign && found.code === 'input/not-audio') return `.${name}`;
  const isIncomplete = found.code === 'input/cut' || found.code === 'input/empty';
  throw new AppError(
    isIncomplete ? 'service/result-incomplete' : 'service/result-not-audio',
    `the result is ${found.code}`,
    { facts: { ...found.facts } },
  );
}

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

/** What a paid call brought: where its sound is. */
export type PaidReply = Pick<JobChange, 'audioUrl' | 'processingTime' | 'finished' | 'outputFormat'>;

export interface StepContext {
  readonly store: JobStore;
  readonly service: VoiceService;
  /** Writes to the journal as soon as that can be written. What a service answered is kept in memory until then. */
  commit<T>(write: () => T): Promise<T>;
  /** Commits that the job is converted. Where that fails for a defect of ours, the reply is kept with the job all the same. */
  keep(reply: PaidReply): Promise<Job>;
  /** False where the call that was just flagged must not leave: the queue is paused, held, asleep, or ends. */
  mayPay(job: Job): boolean;
  /** Throws `output/…` where the result of a call would find no room. */
  reserve(job: Job, signal: AbortSignal): Promise<void>;
  readonly look: LookAtSound;
  onProgress(progress: JobProgress): void;
}

/**
 * One step: does what its state names and gives back the job in its next state. Throws what went wrong; the job then still stands in
 * the step's state, and nothing of the step is left on the disk.
 */
export type Step<J extends Job> = (job: J, context: StepContext, signal: AbortSignal) => Promise<Job>;

/** A value that an earlier state has filled. Its absence is a defect of ours, not a mistake of anyone else. */
export function filled<T>(job: Job, name: string, value: T | null): T {
  if (value === null) throw new Error(`job ${job.id} is ${job.state} without ${name}`);
  return value;
}

/**
 * A paid call. `call` is run only after its flag was committed here, so that no stored state ever leads to it: after a kill the flag says
 * that the call may have left. Returns the flagged job where it did not leave.
 */
export const paidStep =
  <J extends Job>(call: Step<J>): Step<J> =>
  async (job, context, signal) => {
    const { store, service, commit, mayPay, reserve } = context;
    await reserve(job, signal);
    await service.waitForRateLimit(signal);
    // Cancelled and tried again meanwhile, it is another try's to flag.
    signal.throwIfAborted();
    const flagged = await commit(() => store.change(job.id, { state: 'converting' }));
    return mayPay(flagged) && !signal.aborted ? call(job, context, signal) : flagged;
  };

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
