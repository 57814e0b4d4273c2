import { basename, dirname, extname, join } from 'node:path';
import { AppError } from '../../../shared/app-error.ts';
import type { JobProgress, JobState } from '../../../shared/wire/job.ts';
import { inspectSound } from '../../../sound/inspect-sound.ts';
import type { VoiceService } from '../voice-service/voice-service.ts';
import type { Job } from './job.ts';
import type { JobChange, JobStore } from './job-store.ts';
import { outputName } from './output-name.ts';
import { openOutput } from './publish.ts';

export interface StepDependencies {
  readonly store: JobStore;
  readonly service: VoiceService;
  onProgress(progress: JobProgress): void;
}

/** One step: does what its state names and gives back the job in its next state. */
type Step = (job: Job, dependencies: StepDependencies, signal: AbortSignal) => Promise<Job>;

/** A field that an earlier state has filled. Its absence is a defect of ours, not a mistake of anyone else. */
function filled<K extends keyof Job>(job: Job, field: K): Exclude<Job[K], null> {
  const value = job[field];
  if (value === null) throw new Error(`job ${job.id} is ${job.state} without ${field}`);
  return value as Exclude<Job[K], null>;
}

const moveTo =
  (state: JobState, change: JobChange = {}): Step =>
  (job, { store }) =>
    Promise.resolve(store.change(job.id, { ...change, state }));

/** A job that comes back with a result at the service goes on from there. */
const begin: Step = (job, { store }) =>
  Promise.resolve(store.change(job.id, { state: job.audioUrl === null ? 'creating' : 'converted' }));

const create: Step = async (job, { store, service }, signal) => {
  const { taskId, changerType } = await service.createTask(
    { voice: job.voice.id, engine: job.settings.engine },
    signal,
  );
  return store.change(job.id, { state: 'created', taskId, changerType });
};

const upload: Step = async (job, { store, service, onProgress }, signal) => {
  const { path, sizeBytes, modifiedMs } = job.source;
  if (sizeBytes === null || modifiedMs === null) throw new Error(`job ${job.id} is uploading without a snapshot`);
  const { sha256 } = await service.uploadAudio(
    {
      task: { taskId: filled(job, 'taskId'), changerType: filled(job, 'changerType') },
      path,
      fileName: basename(path),
      sizeBytes,
      modifiedMs,
      onProgress: (doneBytes) => onProgress({ id: job.id, direction: 'upload', doneBytes, totalBytes: sizeBytes }),
    },
    signal,
  );
  return store.change(job.id, { state: 'uploaded', sourceSha256: sha256 });
};

const convert: Step = async (job, { store, service }, signal) => {
  const { pitch, speed, pitchControl, engine, autoF0 } = job.settings;
  const { audioUrl, processingTime } = await service.convertAudio(
    {
      taskId: filled(job, 'taskId'),
      voice: job.voice.id,
      pitch,
      speed,
      outputFormat: filled(job, 'outputFormat'),
      audioName: job.audioName ?? basename(job.source.path, extname(job.source.path)),
      platform: job.platform,
      pitchControl,
      engine,
      autoF0,
    },
    signal,
  );
  return store.change(job.id, { state: 'converted', audioUrl, processingTime });
};

const targetFolder = ({ target, source }: Job): string =>
  target.folder === null ? dirname(source.path) : join(target.folder, source.subfolder);

async function mustBeSound(path: string, signal: AbortSignal): Promise<void> {
  const found = await inspectSound(path, { signal });
  if (found.kind === 'sound') return;
  const incomplete = found.code === 'input/cut' || found.code === 'input/empty';
  throw new AppError(
    incomplete ? 'service/result-incomplete' : 'service/result-not-audio',
    `the result is ${found.code}`,
    {
      facts: { ...found.facts },
    },
  );
}

/** Downloads into a temporary file, checks it, and gives it its name. After the name there is no way back: the job is done. */
const downloadAndPublish: Step = async (job, { store, service, onProgress }, signal) => {
  const output = await openOutput(targetFolder(job), job.id);
  try {
    await service.downloadResult(
      {
        audioUrl: filled(job, 'audioUrl'),
        write: output.write,
        onProgress: (doneBytes, totalBytes) => onProgress({ id: job.id, direction: 'download', doneBytes, totalBytes }),
      },
      signal,
    );
    const outputSha256 = await output.finish();
    await mustBeSound(output.temporaryPath, signal);
    store.change(job.id, { state: 'publishing', outputSha256 });
    const format = filled(job, 'outputFormat');
    const outputPath = await output.publish((attempt) => outputName(job.source.path, job.voice.name, format, attempt));
    return store.change(job.id, { state: 'done', outputPath, problem: null });
  } catch (error) {
    await output.discard();
    throw error;
  }
};

/** What is done in each state. A state that is not here is an end. */
const steps: Readonly<Partial<Record<JobState, Step>>> = {
  queued: begin,
  creating: create,
  created: moveTo('uploading'),
  uploading: upload,
  uploaded: moveTo('converting'),
  converting: convert,
  converted: downloadAndPublish,
};

/** Takes a job from the state it is in to its end. Throws what a step throws; the job then still stands in that step's state. */
export async function runConversion(job: Job, dependencies: StepDependencies, signal: AbortSignal): Promise<Job> {
  let current = job;
  for (let step = steps[current.state]; step; step = steps[current.state]) {
    signal.throwIfAborted();
    current = await step(current, dependencies, signal);
  }
  return current;
}
