import { AppError } from '../../../shared/app-error.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { JobProgress } from '../../../shared/wire/job.ts';
import type { ConnectionBook } from '../connections/connection-book.ts';
import { runConversion } from './conversion-steps.ts';
import { examineSource } from './examine-source.ts';
import { hasEnded, type Job } from './job.ts';
import type { JobStore } from './job-store.ts';

export interface Runner {
  start(): void;
  /** Ends everything in flight and resolves when nothing of it is left. Jobs keep the state they had. */
  stop(): Promise<void>;
  /** Ends a job in whatever state it is; one that has ended stays as it is. */
  cancel(id: string): void;
  /**
   * Puts a job that failed, was cancelled or is uncertain at the end of the queue. It is done from the start, unless a service has
   * converted it already: that result is fetched, not paid for again.
   */
  retry(id: string): void;
  /** Resolves when all of these have ended. */
  settled(ids: readonly string[]): Promise<readonly Job[]>;
}

interface Dependencies {
  readonly store: JobStore;
  readonly connections: ConnectionBook;
  onProgress(progress: JobProgress): void;
  /** A defect of ours that a job ran into; the job fails as `internal`. */
  onDefect(error: unknown): void;
}

/** Reading heads of files is short work, but a sleeping network drive must not hold up the files behind it. */
const examinersAtOnce = 4;
const cancelled = new AppError('job/cancelled', 'cancelled');

/**
 * The queue at work: examines what waits, and has as many jobs in flight as each connection allows. Every job in flight has one
 * abort controller; `stop` and `cancel` win over whatever step it is in.
 */
export function createRunner({ store, connections, onProgress, onDefect }: Dependencies): Runner {
  const inFlight = new Map<string, { readonly controller: AbortController; readonly connectionId: string | null }>();
  const ending = new Set<Promise<void>>();
  let running = false;
  let pumping = false;

  const busy = (connectionId: string | null) =>
    [...inFlight.values()].filter((entry) => entry.connectionId === connectionId).length;

  function problemOf(error: unknown): Problem {
    if (error instanceof AppError) return error.problem;
    onDefect(error);
    return { code: 'internal' };
  }

  /** Converting was asked for and no answer came: whether it was done, and paid, nobody knows. */
  function isUncertain(job: Job, { code }: Problem): boolean {
    if (job.state !== 'converting' || connections.get(job.connectionId).document.unknownOutcome === 'repeat')
      return false;
    return code === 'network/cut' || code === 'network/timeout';
  }

  /** The engine on this computer costs nothing, and its addresses end with it: there a job is simply done again. */
  const hasPaidResult = ({ audioUrl, connectionId, problem }: Job): boolean =>
    audioUrl !== null && problem?.code !== 'service/result-gone' && connections.get(connectionId).kind === 'remote';

  function giveUp(id: string, error: unknown, signal: AbortSignal): void {
    const job = store.get(id);
    if (!job || hasEnded(job)) return;
    if (signal.aborted) {
      if (signal.reason === cancelled) store.change(id, { state: 'cancelled', problem: null });
      return;
    }
    const problem = problemOf(error);
    if (isUncertain(job, problem)) store.change(id, { state: 'uncertain', problem: { code: 'service/uncertain' } });
    else store.change(id, { state: 'failed', problem });
  }

  /** Runs `work` as this job's only occupation; whatever comes of it is written to the store, never thrown. */
  function occupy(job: Job, connectionId: string | null, work: (signal: AbortSignal) => Promise<unknown>): void {
    const controller = new AbortController();
    inFlight.set(job.id, { controller, connectionId });
    const done = (async () => {
      try {
        await work(controller.signal);
      } catch (error) {
        giveUp(job.id, error, controller.signal);
      }
    })();
    ending.add(done);
    void done.finally(() => {
      inFlight.delete(job.id);
      ending.delete(done);
      pump();
    });
  }

  async function examine(job: Job, signal: AbortSignal): Promise<void> {
    const examined = await examineSource(job, signal);
    signal.throwIfAborted();
    if (examined.kind === 'sound') store.change(job.id, examined.change);
    else store.change(job.id, { state: 'failed', problem: examined.problem });
  }

  function convert(job: Job): void {
    occupy(job, job.connectionId, async (signal) => {
      const service = connections.service(job.connectionId);
      await runConversion(job, { store, service, onProgress }, signal);
    });
  }

  function pump(): void {
    // A change of the store that this loop makes brings it here again; once is enough.
    if (!running || pumping) return;
    pumping = true;
    let examining = busy(null);
    for (const job of store.queued()) {
      if (inFlight.has(job.id)) continue;
      if (job.outputFormat === null) {
        if (examining >= examinersAtOnce) break;
        examining += 1;
        occupy(job, null, (signal) => examine(job, signal));
      } else if (busy(job.connectionId) < connections.get(job.connectionId).document.limits.maxConcurrent) {
        convert(job);
      }
    }
    pumping = false;
  }

  let unsubscribe: (() => void) | undefined;

  return {
    start() {
      if (running) return;
      running = true;
      unsubscribe = store.onNews(({ kind }) => {
        if (kind === 'put') pump();
      });
      pump();
    },
    async stop() {
      running = false;
      unsubscribe?.();
      for (const { controller } of inFlight.values()) controller.abort();
      await Promise.all(ending);
    },
    cancel(id) {
      const flight = inFlight.get(id);
      if (flight) {
        flight.controller.abort(cancelled);
        return;
      }
      const job = store.get(id);
      if (job && !hasEnded(job)) store.change(id, { state: 'cancelled' });
    },
    retry(id) {
      const job = store.get(id);
      if (!job || !hasEnded(job) || job.state === 'done' || inFlight.has(id)) return;
      if (hasPaidResult(job)) {
        store.change(id, { state: 'queued', problem: null });
        return;
      }
      store.change(id, {
        state: 'queued',
        problem: null,
        outputFormat: null,
        source: { ...job.source, sizeBytes: null, modifiedMs: null },
        taskId: null,
        changerType: null,
        audioUrl: null,
      });
    },
    settled(ids) {
      return new Promise((resolve) => {
        const jobs = () => ids.map((id) => store.get(id)).filter((job) => job !== undefined);
        const check = () => {
          if (!jobs().every(hasEnded)) return;
          stopListening();
          resolve(jobs());
        };
        const stopListening = store.onNews(check);
        check();
      });
    },
  };
}
