import type { Job, SpeechJob } from '../job.ts';
import { outputFolder } from '../output-of-job.ts';
import { openOutput, type PendingOutput } from '../../outputs/pending-output.ts';
import { downloadStep } from './download-step.ts';
import { soundFormat } from './sound-format.ts';
import { recoverStep } from './recover-step.ts';
import { filled, type Step } from './step.ts';

const begin: Step<SpeechJob> = async (job, { store, service }, signal) => {
  await service.turn(signal);
  return store.change(job.id, { state: 'converting' });
};

/**
 * The paid call. Sound that comes in the reply itself exists nowhere else: it goes straight into the temporary file and is on the
 * disk, checked, before `converted` is committed.
 */
const speak: Step<SpeechJob> = async (job, { store, service, onProgress }, signal) => {
  const { voiceId, language, speed, pitch, engine, platform } = job.settings;
  let output: PendingOutput | undefined;
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
    if (spoken.kind === 'address') return store.change(job.id, { state: 'converted', audioUrl: spoken.audioUrl });
    const received = filled(job, 'its sound', output ?? null);
    const finished = await received.finish();
    const outputFormat = await soundFormat(received.temporaryPath, null, signal);
    return store.change(job.id, { state: 'converted', finished, outputFormat });
  } catch (error) {
    await output?.discard();
    throw error;
  }
};

/** What is done in each state of a piece of speech. A state that is not here is an end. */
export const speechSteps: Readonly<Partial<Record<Job['state'], Step<SpeechJob>>>> = {
  queued: begin,
  converting: speak,
  converted: downloadStep,
  publishing: recoverStep,
};
