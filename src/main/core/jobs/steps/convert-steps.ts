import { basename, extname } from 'node:path';
import type { ConversionJob, Job } from '../job.ts';
import { downloadStep } from './download-step.ts';
import { recoverStep } from './recover-step.ts';
import { filled, paidStep, type Step } from './step.ts';

const create: Step<ConversionJob> = async (job, { store, service, commit }, signal) => {
  const { taskId, changerType } = await service.createTask(
    { voice: job.voice.id, engine: job.settings.engine },
    signal,
  );
  // A task costs nothing: lost in a power cut, it is asked for again.
  return commit(() => store.note(job.id, { state: 'created', taskId, changerType }));
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
  return commit(() => store.note(job.id, { state: 'uploaded', sourceSha256: sha256 }));
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
    commit(() => store.note(job.id, { state }));

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
