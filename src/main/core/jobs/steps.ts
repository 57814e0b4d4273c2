import { basename, extname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { withoutMarks } from '../../../shared/text/passage-marks.ts';
import { openOutput, type PendingOutput } from '../files/pending-output.ts';
import type { SpokenPassage } from '../speech/spoken-passages.ts';
import { hasTakes, joinPassages, passagesOf, speakPassages } from './passage-steps.ts';
import { type ConversionJob, type Job, outputFolder, type SpeechJob } from './job.ts';
import { downloadStep, finishSound, recoverStep, unlessMissing } from './publish-steps.ts';
import { receiveSound } from './receive-sound.ts';
import { assertUnchanged } from './source-files.ts';
import { filled, paidCallError, paidStep, type Step, type StepContext } from './step.ts';

const create: Step<ConversionJob> = async (job, { store, service, commit }, signal) => {
  const { taskId, changerType } = await service.createTask(
    { voice: job.voice.id, engine: job.settings.engine },
    signal,
  );
  return commit(() => {
    // Two recordings in one task would be paid for twice, and both results would be that of the later one.
    if (store.hasTask(job, taskId)) {
      throw new AppError('service/not-understood', 'the task is that of another recording', {
        facts: { field: 'taskId' },
      });
    }
    // Tasks are free: if a power cut undoes this, the next run creates another one.
    return store.changeRelaxed(job.id, { state: 'created', taskId, changerType });
  });
};

const upload: Step<ConversionJob> = async (job, context, uploadSignal) => {
  const { store, service, readSource, sendSource, commit, onProgress } = context;
  const task = {
    taskId: filled(job, 'a task', job.taskId),
    changerType: filled(job, 'a changer type', job.changerType),
  };
  const source = { key: job.id, path: job.source.path };
  const sourceSha256 = await readSource(source, uploadSignal, ({ signal, onTransferred }) =>
    sendSource(
      job,
      async ({ snapshot, ...source }) => {
        const totalBytes = snapshot.sizeBytes;
        const report = (doneBytes: number) => {
          onTransferred();
          onProgress({ id: job.id, direction: 'upload', doneBytes, totalBytes });
        };
        const { sha256 } = await service.uploadAudio({ ...source, task, source: snapshot, onProgress: report }, signal);
        return sha256;
      },
      signal,
    ),
  );
  // An upload is free too. The flag before the paid call is synced to disk, and this with it.
  return commit(() => store.changeRelaxed(job.id, { state: 'uploaded', sourceSha256 }));
};

const convert = paidStep<ConversionJob>(async (job, { service, saveResult }, signal) => {
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
  return saveResult({ audioUrl, processingTime });
});

/** A free step: it may be repeated, so its flag need not be synced to disk. */
const begin =
  (state: Job['state']): Step<ConversionJob> =>
  (job, { store, commit }) =>
    commit(() => store.changeRelaxed(job.id, { state }));

/** Reserves space before the upload, so that nothing is uploaded whose result would not fit on the disk. */
const beginUpload: Step<ConversionJob> = async (job, context, signal) => {
  await context.reserve(job, signal);
  // If the user cancelled and retried the job meanwhile, the new run starts this step.
  signal.throwIfAborted();
  return begin('uploading')(job, context, signal);
};

/** The step to run in each state of a conversion. Only `convert` enters `converting`; the other missing states are final. */
const convertSteps: Readonly<Partial<Record<Job['state'], Step<ConversionJob>>>> = {
  queued: begin('creating'),
  creating: create,
  created: beginUpload,
  uploading: upload,
  uploaded: convert,
  converted: downloadStep,
  publishing: recoverStep,
};

async function openResult(job: Job, context: StepContext, onWritten: () => void): Promise<PendingOutput> {
  const unlessGone = <T>(work: () => Promise<T>) => unlessMissing(job, context, work);
  const output = await unlessGone(() => openOutput(outputFolder(job), job.id, onWritten));
  return { ...output, write: (chunk) => unlessGone(() => output.write(chunk)) };
}

/**
 * The paid call. Audio inside the reply exists nowhere else: it is streamed into the temporary file, synced
 * to disk and verified before `converted` is committed. If its folder does not take it, it is kept in the data folder.
 */
const speak = (passage: SpokenPassage): Step<SpeechJob> =>
  paidStep<SpeechJob>((job, context, callSignal) =>
    context.attend(job, callSignal, async ({ signal, onTransferred }) => {
      const { service, saveResult, inspectSound, takes, onProgress, onSpoken } = context;
      const { pronunciations } = job.settings;
      const { voiceId, ...settings } = passage.settings;
      // The lines of a sentence are only wrapped.
      const isAsWritten = passage.speaker === undefined && !pronunciations && !/[\r\n]/.test(job.text.trim());
      const sound = receiveSound(
        [() => openResult(job, context, onTransferred), () => takes.openReply(job.connection.id, job.id)],
        context,
        signal,
      );
      const received = { isSome: false };
      let isWhole = false;
      try {
        const spoken = await service.speakText(
          {
            ...settings,
            text: isAsWritten ? withoutMarks(job.text) : passage.text,
            voice: voiceId,
            write(chunk) {
              received.isSome = true;
              return sound.write(chunk);
            },
            onProgress: (doneBytes, totalBytes) =>
              onProgress({ id: job.id, direction: 'download', doneBytes, totalBytes }),
          },
          signal,
        );
        onSpoken(voiceId);
        if (spoken.kind === 'address') return await saveResult({ audioUrl: spoken.audioUrl });
        const { finished, format, durationSeconds } = await sound.finish((output) =>
          finishSound(output, null, signal, inspectSound),
        );
        isWhole = true;
        return await saveResult({ finished, outputFormat: format, durationSeconds });
      } catch (error) {
        // If only the commit failed, because of a bug or an unwritable database, keep the file: it was paid for.
        const isCancelled = [error, signal.reason].some(
          (why) => why instanceof AppError && why.code === 'job/cancelled',
        );
        if (isWhole && !isCancelled) throw error;
        await sound.discard();
        throw paidCallError(error, received.isSome, voiceId);
      }
    }),
  );

/** The step to run in each state of a speech job. Only `speak` enters `converting`; the other missing states are final. */
const speechSteps: Readonly<Partial<Record<Job['state'], Step<SpeechJob>>>> = {
  async queued(job, context, signal) {
    // A text of which something may be paid for is finished.
    const { source } = job;
    if (source && job.timings.converting === undefined) {
      const file = { key: job.id, path: source.path };
      await context.readSource(file, signal, (attended) => assertUnchanged(source, attended.signal));
    }
    const passages = await passagesOf(job, signal);
    const [first] = passages;
    if (!first) throw new AppError('input/text-empty', 'nothing to say');
    return hasTakes(job, passages) ? speakPassages(job, passages, context, signal) : speak(first)(job, context, signal);
  },
  async converted(job, context, signal) {
    if (job.audioUrl !== null) return downloadStep(job, context, signal);
    const passages = await passagesOf(job, signal);
    return hasTakes(job, passages) ? joinPassages(job, passages, context, signal) : downloadStep(job, context, signal);
  },
  publishing: recoverStep,
};

/** Returns the next step of a job; undefined if there is none. */
export function stepFor(job: Job): ((context: StepContext, signal: AbortSignal) => Promise<Job>) | undefined {
  if (job.kind === 'speech') {
    const step = speechSteps[job.state];
    return step && ((context, signal) => step(job, context, signal));
  }
  const step = convertSteps[job.state];
  return step && ((context, signal) => step(job, context, signal));
}
