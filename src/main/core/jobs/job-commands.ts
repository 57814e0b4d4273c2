import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WriteGate } from '../database/write-gate.ts';
import { discardTemporary } from '../files/publish.ts';
import { retryFrom } from './retry-policy.ts';
import type { ActiveJobs } from './scheduler.ts';
import { hasEnded, type Job, outputFolder } from './job.ts';
import { cancelling, type JobStore } from './job-store.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';

/** What a person does to the queue. It is written to the journal and the breaker, whose news set the runner going. */
export interface JobCommands {
  /**
   * Ends a job in whatever state it is, this process's or another's; one that has ended stays as it is, and one whose result gets its
   * name at this moment is done. Takes effect at once, and on disk as soon as that can be written.
   */
  cancel(id: string): void;
  /** As `cancel`, for many: some in one transaction, with a turn for others between. */
  cancelAll(ids: readonly string[]): Promise<void>;
  /**
   * Puts a job that failed, was cancelled or is uncertain back in the queue. It goes on from what the service has of it: a result is
   * fetched, not paid for again; an uncertain one is converted again. Throws `data/not-writable`.
   */
  retry(id: string): void;
  retryAll(ids: readonly string[]): Promise<void>;
  /** Begins nothing more until `resume`; what is under way comes to the end of its step. */
  pause(): void;
  /** Ends what holds a connection up, whatever it is; null is the person's own pause and a full disk. */
  resume(connectionId: string | null): void;
  /** Goes on with a connection whose token is another one, or may go elsewhere. What a person is to look at first still waits. */
  resumeWithToken(connectionId: string): void;
}

interface Dependencies {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly writes: WriteGate;
  readonly activeJobs: Pick<ActiveJobs, 'has' | 'start'>;
  /** Finds out whether a result has got its name, and gives it back in the state that follows. */
  recover(job: Job, signal: AbortSignal): Promise<Job>;
  onDefect(error: unknown): void;
}

/** As many as are written, and told of, in half the time of a frame. */
const atOnce = 10;

export function createJobCommands(dependencies: Dependencies): JobCommands {
  const { store, breaker, writes, activeJobs, recover, onDefect } = dependencies;

  async function inSlices(ids: readonly string[], act: (some: readonly string[]) => void): Promise<void> {
    for (let start = 0; start < ids.length; start += atOnce) {
      act(ids.slice(start, start + atOnce));
      await nextTurn();
    }
  }

  /** A kill left it while it got its name: whether it has one decides what it is. */
  function cancelPublishing(id: string): void {
    if (activeJobs.has(id) || !store.owns(id)) return;
    activeJobs.start(id, null, async (signal) => {
      const job = store.get(id);
      if (job?.state !== 'publishing') return;
      const recovered = await recover(job, signal);
      if (hasEnded(recovered)) return;
      await writes.commit(() => store.cancel(id), signal);
      await discardTemporary(outputFolder(job), id);
    });
  }

  /** Returns the job where a file of it is left that nobody is at work on. */
  function cancelNow(id: string): readonly Job[] {
    const job = store.cancel(id);
    if (!job && store.get(id)?.state === 'publishing') cancelPublishing(id);
    return job?.finished && !activeJobs.has(id) ? [job] : [];
  }

  function cancelSome(ids: readonly string[]): void {
    const announce = () => {
      for (const job of ids.flatMap((id) => store.get(id) ?? [])) {
        if (!hasEnded(job) && job.state !== 'publishing') store.announceAs(job, cancelling(job));
      }
    };
    const wasHeld = writes.heldSince() !== null;
    if (wasHeld) announce();
    writes.defer(() => {
      for (const job of store.together(() => ids.flatMap(cancelNow))) {
        void discardTemporary(outputFolder(job), job.id).catch(onDefect);
      }
    });
    // This may have been the first write that could not be made.
    if (!wasHeld && writes.heldSince() !== null) announce();
  }

  function retrySome(ids: readonly string[]): void {
    writes.write(() =>
      store.together(() => {
        for (const job of ids.flatMap((id) => store.get(id) ?? [])) {
          if (hasEnded(job) && job.state !== 'done') store.revive(job.id, retryFrom(job));
        }
      }),
    );
  }

  return {
    cancel: (id) => cancelSome([id]),
    cancelAll: (ids) => inSlices(ids, cancelSome),
    retry: (id) => retrySome([id]),
    retryAll: (ids) => inSlices(ids, retrySome),
    pause: () => breaker.pause({ connectionId: null, reason: 'person', until: null, problem: null }),
    resume(connectionId) {
      if (connectionId === null) breaker.resume(null, ['person', 'disk']);
      // The pause that a service asked for is not ours to end.
      else breaker.resume(connectionId, ['offline', 'quota', 'token', 'uncertain']);
    },
    resumeWithToken: (connectionId) => breaker.resume(connectionId, ['offline', 'quota', 'token']),
  };
}
