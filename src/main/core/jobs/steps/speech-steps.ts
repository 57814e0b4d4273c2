import { AppError } from '../../../../shared/app-error.ts';
import type { Job, SpeechJob } from '../job.ts';
import { outputFolder } from '../output-of-job.ts';
import { openOutput, type PendingOutput } from '../../outputs/pending-output.ts';
import { downloadStep } from './download-step.ts';
import { soundFormat } from './sound-format.ts';
import { recoverStep } from './recover-step.ts';
import { filled, paidStep, type Step } from './step.ts';

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
