import type { JobProgress } from '../../../../shared/wire/job.ts';
import type { LookAtSound } from '../../../../sound/sound-looks.ts';
import type { VoiceService } from '../../voice-service/voice-service.ts';
import type { Job } from '../job.ts';
import type { JobStore } from '../job-store.ts';

export interface StepContext {
  readonly store: JobStore;
  readonly service: VoiceService;
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
