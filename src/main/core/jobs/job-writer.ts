import { AppError } from '../../../shared/errors.ts';
import { localConnectionId } from '../../../shared/schemas/connection.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { ActiveJobs } from './active-jobs.ts';
import type { JobStore } from './job-store.ts';
import { hasEnded, type Job } from './job.ts';
import type { TakeCall, Takes } from '../speech/takes.ts';
import type { PaidReply, PaidResult } from './step.ts';

/** Writes for the jobs in flight, and remembers what is not in the database yet. While it is not writable, all wait in memory. */
export interface JobWriter {
  /**
   * The only way for a running job to write. Throws if the job was cancelled meanwhile, even if it was retried since, or if the task
   * has ended without what it waited for.
   */
  commit<T>(id: string, write: () => T, signal: AbortSignal): Promise<T>;
  /** Commits that the job is converted. Until then the reply is in `unsavedReplies`, and cancelling does not end the job. */
  saveResult(id: string, result: PaidResult, signal: AbortSignal): Promise<Job>;
  /** The same for the address of one take of many. */
  saveTakeCall(id: string, call: TakeCall, signal: AbortSignal): Promise<void>;
  /** Stores replies that another writer could not save, each with its job if that is claimed. */
  restoreReplies(replies: ReadonlyMap<string, PaidReply>): void;
  /** The job with its unsaved result, if a failure may still be recorded: it has not ended, nor was it cancelled meanwhile. */
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
  readonly store: JobStore;
  readonly takes: Pick<Takes, 'recordCall'>;
  readonly writes: Pick<WriteGate, 'commit' | 'defer'>;
  readonly activeJobs: Pick<ActiveJobs, 'has' | 'isTask' | 'abort'>;
}

const cancelled = new AppError('job/cancelled', 'cancelled');

/** A service charges for each, also where a lost one may be repeated. */
const isPaidCall = ({ state, connection }: Job): boolean =>
  state === 'converting' && connection.id !== localConnectionId;

export function createJobWriter({ store, takes, writes, activeJobs }: Dependencies): JobWriter {
  const replies = new Map<string, PaidReply>();
  const paidCalls = new Set<string>();
  /** Jobs that write, or wait until they can. */
  const writing = new Set<string>();
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

  // What failed before the call must not cut the attempts at its result short.
  const writeResult = (id: string, result: PaidResult): Job =>
    store.change(id, { state: 'converted', consecutiveFailures: 0, ...result });

  async function saveReply<T>(id: string, reply: PaidReply, write: () => T, signal: AbortSignal): Promise<T> {
    // The next run of the job must not inherit a reply whose sound is discarded.
    if (!activeJobs.isTask(id, signal)) throw cancelled;
    replies.set(id, reply);
    const save = (): T => {
      const saved = write();
      replies.delete(id);
      return saved;
    };
    return commit(id, save, signal);
  }

  return {
    commit,
    saveResult: (id, result, signal) =>
      saveReply(id, { kind: 'result', result }, () => writeResult(id, result), signal),
    saveTakeCall: (id, call, signal) => saveReply(id, { kind: 'take', call }, () => takes.recordCall(id, call), signal),
    restoreReplies: (unsaved) =>
      writes.defer(() =>
        store.batch(() => {
          const claimed = new Set(store.claim({ ids: [...unsaved.keys()] }).map(({ id }) => id));
          for (const [id, reply] of unsaved) {
            if (!claimed.has(id)) continue;
            if (reply.kind === 'take') takes.recordCall(id, reply.call);
            else writeResult(id, reply.result);
          }
        }),
      ),
    findOpen(id) {
      const job = store.get(id);
      if (!job || hasEnded(job) || !isOurs(id)) return undefined;
      const reply = replies.get(id);
      return reply?.kind === 'result' ? { ...job, ...reply.result } : job;
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
        if (job.state !== 'cancelled' || replies.has(id)) continue;
        cancelledInFlight.add(id);
        activeJobs.abort(id, cancelled);
      }
    },
    forget(id) {
      replies.delete(id);
      paidCalls.delete(id);
      cancelledInFlight.delete(id);
    },
  };
}
