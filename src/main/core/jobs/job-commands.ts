import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { batchesOf } from '../../../shared/batches.ts';
import { AppError } from '../../../shared/errors.ts';
import { unpaidStates } from '../../../shared/schemas/job.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { inFolder } from '../files/errno.ts';
import { isInside, makeFolder } from '../files/folders.ts';
import { discardTemporary } from '../files/publish.ts';
import { hasPaidResult, moveTo, retryFrom, retryIn } from './retry-policy.ts';
import type { ActiveJobs } from './active-jobs.ts';
import { hasEnded, type Job, outputFolder } from './job.ts';
import { cancelling, type JobChange, type JobStore } from './job-store.ts';
import type { CircuitBreaker, StoredPause } from './circuit-breaker.ts';

/** The user's commands to the queue. They write to the job store and the breaker, whose events start the scheduler. */
export interface JobCommands {
  /**
   * Cancels a job of any process. Ignores a job that has ended; one whose result is being published becomes
   * `done`. Takes effect at once, and on disk as soon as the database is writable.
   */
  cancel(id: string): void;
  /** Like `cancel`, in batches: one transaction each, yielding to the event loop in between. */
  cancelAll(ids: readonly string[]): Promise<void>;
  /**
   * Cancels those of the jobs that no service may charge for yet, takes them from the list, and returns their ids,
   * also of those that were withdrawn before. Leaves the others as they are. Rejects with `data/not-writable`; can
   * be repeated.
   */
  withdrawAll(ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Returns a failed, cancelled or uncertain job to the queue. It continues from what the service still has:
   * an existing result is fetched, not paid for again; an uncertain job is converted again. Throws
   * `data/not-writable`.
   */
  retry(id: string): void;
  retryAll(ids: readonly string[]): Promise<void>;
  /** Like `retryAll`, but the results are saved in this folder. */
  retryAllIn(ids: readonly string[], folder: string): Promise<void>;
  /**
   * Saves the results of jobs that wait for a folder which is gone, or for its disk, in another folder, and ends that pause. Null
   * stands for the folders of the originals. With `isOurs`, moves only such jobs, and the pause stays if there are none. Leaves out
   * what would stay on the same disk. Makes the folders first: if it rejects with `output/…`, nothing has changed. Does nothing if
   * no folder is gone.
   */
  moveResults(to: string | null, isOurs?: (job: Job) => boolean): Promise<void>;
  /** Starts no more steps until `resume`; running steps finish. */
  pause(): void;
  /** Ends all pauses of a connection except the service's rate limit. Null ends the user's pause and that of a full disk. */
  resume(connectionId: string | null): void;
  /** Resumes a connection after its token or its hosts changed. An `uncertain` pause still waits for the user. */
  resumeWithToken(connectionId: string): void;
}

interface Dependencies {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly writes: WriteGate;
  readonly activeJobs: Pick<ActiveJobs, 'has' | 'start' | 'end'>;
  /** Finds out whether a result was published, and returns the job in its next state. */
  recover(job: Job, signal: AbortSignal): Promise<Job>;
  /** Called with a job in flight whose result stays in a folder that the user gives up. */
  onLeftBehind(id: string): void;
  onDefect(error: unknown): void;
}

/** Abort reason for what saves a result in a folder that the user gives up. */
export const movedElsewhere = new AppError('output/folder-missing', 'the result goes to another folder');

/** States in which nothing is left but to save a result: its step can be ended, and begin again elsewhere. */
const savingStates: ReadonlySet<Job['state']> = new Set(['converted', 'publishing']);

/** Writing and announcing this many jobs takes half a frame. */
const batchSize = 10;

/** The folder that the queue waits for, or the mount folder of its disk; undefined if none is gone or became read-only. */
export function missingFolderOf(pause: StoredPause | undefined): string | undefined {
  const { code, facts } = pause?.problem ?? {};
  const gone = facts?.['mountPoint'] ?? facts?.['folder'];
  return (code === 'output/folder-missing' || code === 'output/not-writable') && typeof gone === 'string'
    ? gone
    : undefined;
}

/** True if no paid call was ever sent for the job. */
const isUnpaid = (job: Job): boolean =>
  job.timings.converting === undefined && !hasPaidResult(job) && unpaidStates.has(job.state);

/** Before a result is fetched, a folder that is not there counts as gone. */
async function makeFolders(folders: ReadonlySet<string>): Promise<void> {
  for (const folder of folders) await inFolder(folder, () => makeFolder(folder));
}

export function createJobCommands(dependencies: Dependencies): JobCommands {
  const { store, breaker, writes, activeJobs, recover, onLeftBehind, onDefect } = dependencies;

  async function inBatches(ids: readonly string[], run: (batch: readonly string[]) => void): Promise<void> {
    for (const batch of batchesOf(ids, batchSize)) {
      run(batch);
      await yieldToEventLoop();
    }
  }

  /** Cancels a job whose process was killed while publishing: if the result has its name, the job is done instead. */
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

  /** Cancels a job; returns it if it left a temporary file that no running step will remove. */
  function cancelNow(id: string): readonly Job[] {
    const job = store.cancel(id);
    if (!job && store.get(id)?.state === 'publishing') cancelPublishing(id);
    return job?.finished && !activeJobs.has(id) ? [job] : [];
  }

  function cancelBatch(ids: readonly string[]): void {
    const announce = () => {
      for (const job of ids.flatMap((id) => store.get(id) ?? [])) {
        if (!hasEnded(job) && job.state !== 'publishing') store.emitPending(job, cancelling(job));
      }
    };
    const wasHeld = writes.heldSince() !== null;
    if (wasHeld) announce();
    writes.defer(() => {
      for (const job of store.batch(() => ids.flatMap(cancelNow))) {
        void discardTemporary(outputFolder(job), job.id).catch(onDefect);
      }
    });
    // This write may have been the first to fail.
    if (!wasHeld && writes.heldSince() !== null) announce();
  }

  function retryBatch(ids: readonly string[], from: (job: Job) => JobChange): void {
    writes.write(() =>
      store.batch(() => {
        for (const job of ids.flatMap((id) => store.get(id) ?? [])) {
          if (hasEnded(job) && job.state !== 'done') store.reopen(job.id, from(job));
        }
      }),
    );
  }

  return {
    cancel: (id) => cancelBatch([id]),
    cancelAll: (ids) => inBatches(ids, cancelBatch),
    async withdrawAll(ids) {
      const withdrawn: string[] = [];
      await inBatches(ids, (batch) => {
        const unpaid = writes.write(() =>
          // Another process may own a job by now, and be about to send its paid call.
          store.batch(() => {
            const found = batch.flatMap((id) => store.get(id) ?? []).filter(isUnpaid);
            for (const { id } of found) store.cancel(id);
            return found.map(({ id }) => id);
          }),
        );
        writes.write(() => store.remove(unpaid));
        withdrawn.push(...unpaid);
      });
      return withdrawn;
    },
    retry: (id) => retryBatch([id], retryFrom),
    retryAll: (ids) => inBatches(ids, (batch) => retryBatch(batch, retryFrom)),
    async retryAllIn(ids, folder) {
      const folders = new Set<string>();
      for (const job of ids.flatMap((id) => store.get(id) ?? [])) {
        const { target } = retryIn(job, folder);
        if (target && hasPaidResult(job)) folders.add(outputFolder({ ...job, target }));
      }
      await makeFolders(folders);
      await inBatches(ids, (batch) => retryBatch(batch, (job) => retryIn(job, folder)));
    },
    async moveResults(to, isOurs) {
      const pause = breaker.find(null, 'disk');
      const gone = missingFolderOf(pause);
      if (gone === undefined) return;
      const isOnMissingDisk = (folder: string) =>
        pause?.problem?.facts?.['mountPoint'] !== undefined && isInside(gone, folder);
      /** What changes for those of these jobs that are to be moved, and their new folders. */
      const movesOf = (ids: readonly string[]) =>
        ids.flatMap((id) => {
          const job = store.get(id);
          if (!job || hasEnded(job) || !isInside(gone, outputFolder(job)) || isOurs?.(job) === false) return [];
          const change = moveTo(job, to);
          if (!change) return [];
          const folder = outputFolder({ ...job, ...change });
          return isOnMissingDisk(folder) ? [] : [{ id, change, folder }];
        });
      const ids = store.unfinished();
      const folders = new Set<string>();
      await inBatches(ids, (batch) => movesOf(batch).forEach(({ folder }) => folders.add(folder)));
      if (isOurs && folders.size === 0) return;
      await makeFolders(folders);
      const saving = ids.filter((id) => activeJobs.has(id) && savingStates.has(store.get(id)?.state ?? 'queued'));
      await Promise.all(movesOf(saving).map(({ id }) => activeJobs.end(id, movedElsewhere)));
      await inBatches(ids, (batch) =>
        writes.write(() =>
          store.batch(() => {
            for (const { id, change } of movesOf(batch)) {
              // A running step has the former folder. If it fails there, the queue pauses again.
              if (activeJobs.has(id)) onLeftBehind(id);
              else store.change(id, change);
            }
          }),
        ),
      );
      breaker.resume(null, ['disk']);
    },
    pause: () => breaker.pause({ connectionId: null, reason: 'user', resumesAt: null, problem: null }),
    resume(connectionId) {
      if (connectionId === null) breaker.resume(null, ['user', 'disk']);
      // The user cannot end a pause that the service requested.
      else breaker.resume(connectionId, ['offline', 'quota', 'token', 'uncertain']);
    },
    resumeWithToken: (connectionId) => breaker.resume(connectionId, ['offline', 'quota', 'token']),
  };
}
