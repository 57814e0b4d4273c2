import type { JobProgress } from '../../../../shared/wire/job.ts';
import type { LookAtSound } from '../../../../sound/sound-looks.ts';
import type { VoiceService } from '../../voice-service/voice-service.ts';
import type { Job } from '../job.ts';
import type { JobChange, JobStore } from '../job-store.ts';

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
    await service.turn(signal);
    // Cancelled and tried again meanwhile, it is another try's to flag.
    signal.throwIfAborted();
    const flagged = await commit(() => store.change(job.id, { state: 'converting' }));
    return mayPay(flagged) && !signal.aborted ? call(job, context, signal) : flagged;
  };
