import { AppError } from '../../../shared/errors.ts';
import { localConnectionId } from '../../../shared/schemas/connection.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { ActiveJobs } from './active-jobs.ts';
import type { JobChange, JobStore } from './job-store.ts';
import { hasEnded, type Job } from './job.ts';
import type { PaidReply } from './step.ts';

/** Writes for the jobs in flight, and remembers what is not in the database yet. While it is not writable, all wait in memory. */
export interface JobWriter {
  /**
   * The only way for a running job to write. Throws if the job was cancelled meanwhile, even if it was retried since, or if the task
   * has ended without what it waited for.
   */
  commit<T>(id: string, write: () => T, signal: AbortSignal): Promise<T>;
  /** Like `commit`; until it is written, cancelling does not end the job. */
  commitAnswer<T>(id: string, write: () => T, signal: AbortSignal): Promise<T>;
  /** Commits that the job is converted. Until it is written, the reply is in `unsavedReplies`. */
  saveReply(id: string, reply: PaidReply, signal: AbortSignal): Promise<Job>;
  /** The job with its unsaved reply, if a failure may still be recorded: it has not ended, nor was it cancelled meanwhile. */
  findOpen(id: string): Job | undefined;
  /** Replies to paid calls that are not in the database yet, by job id. */
  unsavedReplies(): ReadonlyMap<string, PaidReply>;
  /** Number of paid calls whose answer would be lost if the process ended now. Reads nothing: the database may be damaged. */
  unansweredPaidCalls(): number;
  /** True if a service has yet to answer one of them; false if the others only wait until they can be written. */
  isCallAtService(): boolean;
  /** Call when a step has failed: its call is over. */
  endCall(id: string): void;
  /** Call with each change of jobs: aborts those that were cancelled. */
  noteChanged(jobs: readonly Job[]): void;
  /** Forgets a job that is no longer in flight. */
  forget(id: string): void;
}

interface Dependencies {
  readonly store: Pick<JobStore, 'get' | 'change' | 'owns'>;
  readonly writes: Pick<WriteGate, 'commit'>;
  readonly activeJobs: Pick<ActiveJobs, 'has' | 'isTask' | 'abort'>;
}

const cancelled = new AppError('job/cancelled', 'cancelled');

/** A service charges for each, also where a lost one may be repeated. */
const isPaidCall = ({ state, connection }: Job): boolean =>
  state === 'converting' && connection.id !== localConnectionId;

/** The call succeeded: what failed before it must not cut the attempts at its result short. */
export const convertedBy = (reply: PaidReply): JobChange => ({ state: 'converted', consecutiveFailures: 0, ...reply });

export function createJobWriter({ store, writes, activeJobs }: Dependencies): JobWriter {
  const replies = new Map<string, PaidReply>();
  const paidCalls = new Set<string>();
  /** Jobs that write, or wait until they can. */
  const writing = new Set<string>();
  /** Jobs whose answer to a paid call is not in the database yet. */
  const answered = new Set<string>();
  /** Cancelled jobs still in flight. If the user retries one meanwhile, its next run owns it. */
  const cancelledInFlight = new Set<string>();

  /** False if this or another process cancelled the job, even if it was retried since. */
  const isOurs = (id: string) => !cancelledInFlight.has(id) && store.owns(id);

  async function commit<T>(id: string, write: () => T, signal: AbortSignal): Promise<T> {
    writing.add(id);
    try {
      return await writes.commit(() => {
        if (!activeJobs.isTask(id, signal) || !isOurs(id)) throw cancelled;
        return write();
      }, signal);
    } finally {
      writing.delete(id);
    }
  }

  function commitAnswer<T>(id: string, write: () => T, signal: AbortSignal): Promise<T> {
    answered.add(id);
    const save = (): T => {
      const written = write();
      answered.delete(id);
      return written;
    };
    return commit(id, save, signal);
  }

  return {
    commit,
    commitAnswer,
    async saveReply(id, reply, signal) {
      // The next run of the job must not inherit a reply whose sound is discarded.
      if (!activeJobs.isTask(id, signal)) throw cancelled;
      replies.set(id, reply);
      const saved = await commitAnswer(id, () => store.change(id, convertedBy(reply)), signal);
      replies.delete(id);
      return saved;
    },
    findOpen(id) {
      const job = store.get(id);
      return job && !hasEnded(job) && isOurs(id) ? { ...job, ...replies.get(id) } : undefined;
    },
    unsavedReplies: () => new Map(replies),
    unansweredPaidCalls: () => paidCalls.size,
    isCallAtService: () => [...paidCalls].some((id) => !writing.has(id)),
    endCall: (id) => void paidCalls.delete(id),
    noteChanged(jobs) {
      for (const job of jobs) {
        const { id } = job;
        if (!activeJobs.has(id)) continue;
        if (isPaidCall(job)) paidCalls.add(id);
        else paidCalls.delete(id);
        if (job.state !== 'cancelled' || answered.has(id)) continue;
        cancelledInFlight.add(id);
        activeJobs.abort(id, cancelled);
      }
    },
    forget(id) {
      replies.delete(id);
      paidCalls.delete(id);
      answered.delete(id);
      cancelledInFlight.delete(id);
    },
  };
}
