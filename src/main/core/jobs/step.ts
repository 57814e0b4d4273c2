import { AppError } from '../../../shared/errors.ts';
import type { JobProgress } from '../../../shared/schemas/job.ts';
import type { JoinSounds } from '../../../sound/join-sounds.ts';
import type { InspectSound } from '../../../sound/sound-inspector.ts';
import type { TakeCall, Takes } from '../speech/takes.ts';
import type { ServiceClient } from '../voice-service/service-client.ts';
import type { Attended } from '../files/attendance.ts';
import type { JobChange, JobStore } from './job-store.ts';
import type { Job } from './job.ts';
import type { AttendedReads } from '../files/attended-reads.ts';
import type { UploadSources } from './upload-source.ts';

/** The result of a job's only paid call: where its audio is. */
export type PaidResult = Pick<
  JobChange,
  'audioUrl' | 'processingTime' | 'durationSeconds' | 'finished' | 'outputFormat'
>;

/** What a paid call has answered: the result of the job, or the address of one take of many. */
export type PaidReply =
  { readonly kind: 'result'; readonly result: PaidResult } | { readonly kind: 'take'; readonly call: TakeCall };

/** What the steps of all jobs work with. */
export interface StepTools {
  readonly store: JobStore;
  readonly inspectSound: InspectSound;
  readonly joinSounds: JoinSounds;
  readonly takes: Takes;
  readonly readSource: AttendedReads['read'];
  readonly sendSource: UploadSources['sendSource'];
  onProgress(progress: JobProgress): void;
}

/** What the steps of a running job work with. */
export interface StepContext extends StepTools {
  readonly service: ServiceClient;
  /** Writes to the job store; while the database is not writable, waits and holds the service's answer in memory. */
  commit<T>(write: () => T): Promise<T>;
  /** Commits that the job is converted, even if the user cancels it meanwhile. A bug that prevents it records the result, too. */
  saveResult(result: PaidResult): Promise<Job>;
  /** Commits where the sound of one take of many is, even if the user cancels the job meanwhile. */
  saveTakeCall(call: TakeCall): Promise<void>;
  /** False if a flagged call must not be sent: the queue is paused, stopping or asleep, or the database is not writable. */
  mayPay(job: Job): boolean;
  /** Resolves after `ms`; rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Makes the folder of the result. Throws `output/…` if the result would not fit on the disk. */
  reserve(job: Job, signal: AbortSignal): Promise<void>;
  /** Throws `output/folder-missing` if the folder or its disk went away since. */
  assertFolder(job: Job): Promise<void>;
  /** Runs work on the folder of the result. The queue pauses while its disk does not answer, and the work goes on when it does. */
  attend<T>(job: Job, signal: AbortSignal, work: (attended: Attended) => Promise<T>): Promise<T>;
  /** Pauses the queue until the disk that this error is about can be written. */
  pauseForDisk(error: AppError): void;
  /** Pairs of a job and a call of another process that put it in doubt: if the job goes on, that was agreed to. */
  readonly doubtedCalls: Set<string>;
  /** Call when a call for speech has succeeded: the connection works, and the service has the voice. */
  onSpoken(voiceId: string): void;
}

/**
 * Runs the step of the job's state and returns the job in its next state. If it throws, the job is still in the
 * step's state and the step has left nothing on disk.
 */
export type Step<J extends Job> = (job: J, context: StepContext, signal: AbortSignal) => Promise<Job>;

/** Returns a value that an earlier state has set. If it is missing, that is a bug. */
export function filled<T>(job: Job, name: string, value: T | null): T {
  if (value === null) throw new Error(`job ${job.id} is ${job.state} without ${name}`);
  return value;
}

/**
 * A paid call. Commits the `converting` flag, synced to disk, before it runs `call`, so that after a crash the
 * flag tells that the call may have been sent. Returns the flagged job if the call was not sent.
 */
export const paidStep =
  <J extends Job>(call: Step<J>): Step<J> =>
  async (job, context, signal) => {
    const { store, service, commit, mayPay, reserve } = context;
    await reserve(job, signal);
    await service.waitForRateLimit(signal);
    // If the user cancelled and retried the job meanwhile, the new run sets the flag.
    signal.throwIfAborted();
    const flagged = await commit(() => store.change(job.id, { state: 'converting' }));
    return mayPay(flagged) && !signal.aborted ? call(job, context, signal) : flagged;
  };

/** A service refused a paid call, which may be because of its voice: a text may have several. */
export class RefusedCall extends AppError {
  readonly voiceId: string;

  constructor(refusal: AppError, voiceId: string) {
    super(refusal.code, refusal.message, { ...refusal.problem, cause: refusal });
    this.voiceId = voiceId;
  }
}

/**
 * The error of a paid call that failed. Once audio has begun to arrive it was charged, while `system/too-many-files` would mean that
 * it was never sent.
 */
export function paidCallError(error: unknown, hasReceived: boolean, voiceId: string): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code === 'service/refused') return new RefusedCall(error, voiceId);
  const isShortage = hasReceived && error.code === 'system/too-many-files';
  return isShortage ? new AppError('output/failed', error.message, { cause: error }) : error;
}
