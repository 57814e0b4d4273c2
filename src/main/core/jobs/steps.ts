import { basename, extname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { openOutput, type PendingOutput } from '../files/pending-output.ts';
import {
  downloadStep,
  filled,
  paidStep,
  recoverStep,
  soundFormat,
  type Step,
  type StepContext,
} from './download-step.ts';
import { type ConversionJob, type Job, outputFolder, type SpeechJob } from './job.ts';

const create: Step<ConversionJob> = async (job, { store, service, commit }, signal) => {
  const { taskId, changerType } = await service.createTask(
    { voice: job.voice.id, engine: job.settings.engine },
    signal,
  );
  // A task costs nothing: lost in a power cut, it is asked for again.
  return commit(() => store.changeRelaxed(job.id, { state: 'created', taskId, changerType }));
};

const upload: Step<ConversionJob> = async (job, { store, service, commit, onProgress }, signal) => {
  const { path, snapshot, sha256: expected } = job.source;
  const source = filled(job, 'a snapshot', snapshot);
  const { sha256 } = await service.uploadAudio(
    {
      task: { taskId: filled(job, 'a task', job.taskId), changerType: filled(job, 'a changer type', job.changerType) },
      path,
      fileName: basename(path),
      source,
      ...(expected !== undefined && { sha256: expected }),
      onProgress: (doneBytes) =>
        onProgress({ id: job.id, direction: 'upload', doneBytes, totalBytes: source.sizeBytes }),
    },
    signal,
  );
  // Nor does an upload. The flag before the paid call waits for the disk, and takes this along.
  return commit(() => store.changeRelaxed(job.id, { state: 'uploaded', sourceSha256: sha256 }));
};

const convert = paidStep<ConversionJob>(async (job, { service, keep }, signal) => {
  const { pitch, speed, pitchControl, engine, autoF0 } = job.settings;
  const { audioUrl, processingTime } = await service.convertAudio(
    {
      taskId: filled(job, 'a task', job.taskId),
      voice: job.voice.id,
      pitch,
      speed,
      outputFormat: filled(job, 'a format', job.outputFormat),
      audioName: job.audioName ?? basename(job.source.path, extname(job.source.path)),
      platform: job.platform,
      pitchControl,
      engine,
      autoF0,
    },
    signal,
  );
  return keep({ audioUrl, processingTime });
});

/** A step that is free, and may as well have been begun as not. */
const begin =
  (state: Job['state']): Step<ConversionJob> =>
  (job, { store, commit }) =>
    commit(() => store.changeRelaxed(job.id, { state }));

/** An upload whose result would find no room is spared too. */
const beginUpload: Step<ConversionJob> = async (job, context, signal) => {
  await context.reserve(job, signal);
  // Cancelled and tried again meanwhile, it is another one's to begin.
  signal.throwIfAborted();
  return begin('uploading')(job, context, signal);
};

/** What is done in each state of a conversion. `converting` is entered by `convert` alone; other states that are not here are ends. */
export const convertSteps: Readonly<Partial<Record<Job['state'], Step<ConversionJob>>>> = {
  queued: begin('creating'),
  creating: create,
  created: beginUpload,
  uploading: upload,
  uploaded: convert,
  converted: downloadStep,
  publishing: recoverStep,
};

/**
 * The paid call. Sound that comes in the reply itself exists nowhere else: it goes straight into the temporary file and is on the
 * disk, checked, before `converted` is committed.
 */
const speak = paidStep<SpeechJob>(async (job, { service, keep, look, onProgress }, signal) => {
  const { voiceId, language, speed, pitch, engine, platform } = job.settings;
  let output: PendingOutput | undefined;
  let isWhole = false;
  try {
    const spoken = await service.speakText(
      {
        text: job.text,
        voice: voiceId,
        language,
        speed,
        pitch,
        engine,
        platform,
        async write(chunk) {
          output ??= await openOutput(outputFolder(job), job.id);
          await output.write(chunk);
        },
        onProgress: (doneBytes, totalBytes) => onProgress({ id: job.id, direction: 'download', doneBytes, totalBytes }),
      },
      signal,
    );
    if (spoken.kind === 'address') return await keep({ audioUrl: spoken.audioUrl });
    const received = filled(job, 'its sound', output ?? null);
    const finished = await received.finish();
    const outputFormat = await soundFormat(received.temporaryPath, null, signal, look);
    isWhole = true;
    return await keep({ finished, outputFormat });
  } catch (error) {
    const received = output;
    // What only could not be written down, for a defect of ours, stays: it was paid for.
    const isKept = isWhole && !signal.aborted && !(error instanceof AppError);
    if (!received || isKept) throw error;
    await received.discard();
    // Sound had begun to arrive, and with it the bill: a shortage of handles means something else before that.
    const isShortage = error instanceof AppError && error.code === 'system/too-many-files';
    throw isShortage ? new AppError('output/failed', error.message, { cause: error }) : error;
  }
});

/** What is done in each state of a piece of speech. `converting` is entered by `speak` alone; other states that are not here are ends. */
export const speechSteps: Readonly<Partial<Record<Job['state'], Step<SpeechJob>>>> = {
  queued: speak,
  converted: downloadStep,
  publishing: recoverStep,
};

/** What is to be done next for a job; undefined where it has ended. */
export function stepOf(job: Job): ((context: StepContext, signal: AbortSignal) => Promise<Job>) | undefined {
  if (job.kind === 'speech') {
    const step = speechSteps[job.state];
    return step && ((context, signal) => step(job, context, signal));
  }
  const step = convertSteps[job.state];
  return step && ((context, signal) => step(job, context, signal));
}
