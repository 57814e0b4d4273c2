import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { AppError, type Problem } from '../shared/errors.ts';

/**
 * A message to a worker. `abort` refers to a running request; the worker still replies to it, as
 * soon as it can.
 */
export type PoolMessage<Request> =
  | { readonly kind: 'run'; readonly id: number; readonly request: Request }
  | { readonly kind: 'abort'; readonly id: number };

/**
 * A worker's reply. Sent once for each `run`. `isHeld`: the request was aborted, but waits for a disk; the worker ends itself once that
 * answers, and takes no other request.
 */
export type PoolReply<Value> =
  | { readonly id: number; readonly isHeld: true }
  | { readonly id: number; readonly ok: true; readonly value: Value }
  | { readonly id: number; readonly ok: false; readonly problem: Problem; readonly message: string };

export interface WorkerPoolOptions {
  /** Worker module: a separate chunk of the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
  /** Maximum number of workers. A worker starts when a job finds none idle. Default 1. */
  readonly size?: number;
  /**
   * Limit for a request. When it expires, the worker is terminated and the request fails with this
   * error. Default: none.
   */
  readonly deadline?: { readonly ms: number; readonly error: () => AppError };
}

export interface WorkerPool<Request, Value> {
  /**
   * Runs requests in FIFO order. Rejects with the signal's reason on abort (a queued request is
   * removed, a running one is told to end, and its worker replaced if it does not), with the
   * worker's AppError, with AppError `internal` when the worker dies, and `job/cancelled` after stop.
   */
  run(request: Request, options?: { readonly signal?: AbortSignal | undefined }): Promise<Value>;
  stop(): Promise<void>;
}

/** How long a worker may take to say something about an aborted request. */
const abortedMs = 10_000;
/** How long `stop` waits for threads that were terminated. */
const terminatedMs = 1000;

/** Workers of this process that have a request, or have yet to end. */
const busyWorkers = new Set<Worker>();

/** True while a worker of any pool is at work. A process that exits waits for it, also for one that waits for a disk that hangs. */
export const hasBusyWorkers = (): boolean => busyWorkers.size > 0;

interface Job<Request, Value> {
  readonly id: number;
  readonly request: Request;
  readonly settle: (result: { readonly value: Value } | { readonly error: Error }) => void;
}

interface Slot<Request, Value> {
  worker: Worker;
  job: Job<Request, Value> | null;
  timer: NodeJS.Timeout | undefined;
}

/** True if too many files are open. Node’s module loader and a worker that cannot start say so only in their messages. */
export const isOutOfHandles = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && ['EMFILE', 'ENFILE', 'system/too-many-files'].includes(String(error.code))) ||
    /too many open files|\bE[MN]FILE\b/.test(error.message));

/**
 * Runs work in worker threads. The creator owns it; no worker starts before the first `run`. A
 * worker that dies fails its job and is replaced; the others are not affected. Worker output is
 * discarded, because decoders write thousands of lines about one bad file. `stop` terminates the
 * workers at once, fails queued and running jobs, and may be called at any time. It does not wait for
 * a thread that a disk holds.
 */
export function createWorkerPool<Request, Value>({
  workerUrl,
  size = 1,
  deadline,
}: WorkerPoolOptions): WorkerPool<Request, Value> {
  const slots: Slot<Request, Value>[] = [];
  let queue: Job<Request, Value>[] = [];
  let lastId = 0;
  let stopping: Promise<void> | null = null;

  const stoppedError = () => new AppError('job/cancelled', 'the workers have been stopped');

  const finishJob = (slot: Slot<Request, Value>, job: Job<Request, Value>) => {
    if (slot.job === job) slot.job = null;
    clearTimeout(slot.timer);
    busyWorkers.delete(slot.worker);
  };

  /** Terminates the worker, which may be in an endless loop. */
  function expireJob(slot: Slot<Request, Value>, job: Job<Request, Value>, error: Error): void {
    if (slot.job !== job) return;
    slot.job = null;
    slots.splice(slots.indexOf(slot), 1);
    job.settle({ error });
    void slot.worker.terminate();
    dispatch();
  }

  const startSlot = (): Slot<Request, Value> => {
    const worker = new Worker(workerUrl, { stdout: true, stderr: true });
    worker.stdout.resume();
    worker.stderr.resume();
    const slot: Slot<Request, Value> = { worker, job: null, timer: undefined };
    slots.push(slot);
    const onWorkerLost = (message: string, cause?: unknown) => {
      const at = slots.indexOf(slot);
      if (at >= 0) slots.splice(at, 1);
      clearTimeout(slot.timer);
      const { job } = slot;
      slot.job = null;
      const code = isOutOfHandles(cause) ? 'system/too-many-files' : 'internal';
      job?.settle({ error: stopping ? stoppedError() : new AppError(code, message, { cause }) });
      void worker.terminate();
      dispatch();
    };
    worker.once('exit', () => busyWorkers.delete(worker));
    worker.on('message', (reply: PoolReply<Value>) => {
      const { job } = slot;
      if (job?.id !== reply.id) return;
      if ('isHeld' in reply) {
        // Terminated, it would leave a file open that it is opening, and a disk with an open file cannot be ejected.
        clearTimeout(slot.timer);
        slot.job = null;
        slots.splice(slots.indexOf(slot), 1);
        worker.unref();
        dispatch();
        return;
      }
      finishJob(slot, job);
      job.settle(
        reply.ok
          ? { value: reply.value }
          : { error: new AppError(reply.problem.code, reply.message, { ...reply.problem }) },
      );
      dispatch();
    });
    worker.on('error', (error) => onWorkerLost('a worker failed', error));
    worker.on('exit', (code) => onWorkerLost(`a worker ended with ${code}`));
    // An idle worker must not keep the process alive.
    worker.unref();
    return slot;
  };

  function dispatch(): void {
    if (stopping) return;
    for (;;) {
      const [job] = queue;
      if (!job) break;
      const slot = slots.find((candidate) => !candidate.job) ?? (slots.length < size ? startSlot() : null);
      if (!slot) break;
      queue = queue.slice(1);
      slot.job = job;
      if (deadline) slot.timer = setTimeout(() => expireJob(slot, job, deadline.error()), deadline.ms);
      busyWorkers.add(slot.worker);
      slot.worker.ref();
      slot.worker.postMessage({ kind: 'run', id: job.id, request: job.request } satisfies PoolMessage<Request>);
    }
    for (const slot of slots) if (!slot.job) slot.worker.unref();
  }

  return {
    run(request, { signal } = {}) {
      return new Promise((resolve, reject) => {
        if (stopping) {
          reject(stoppedError());
          return;
        }
        if (signal?.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const id = ++lastId;
        const onAbort = () => {
          queue = queue.filter((job) => job.id !== id);
          const error = signal?.reason as Error;
          const slot = slots.find(({ job }) => job?.id === id);
          const { job } = slot ?? {};
          if (slot && job) {
            slot.worker.postMessage({ kind: 'abort', id } satisfies PoolMessage<Request>);
            clearTimeout(slot.timer);
            slot.timer = setTimeout(() => expireJob(slot, job, error), abortedMs).unref();
          }
          reject(error);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.push({
          id,
          request,
          settle: (result) => {
            signal?.removeEventListener('abort', onAbort);
            if ('error' in result) reject(result.error);
            else resolve(result.value);
          },
        });
        dispatch();
      });
    },
    stop() {
      stopping ??= (async () => {
        const waiting = queue;
        queue = [];
        for (const job of waiting) job.settle({ error: stoppedError() });
        const ended = Promise.all(slots.map(async ({ worker }) => worker.terminate()));
        const waiter = new AbortController();
        const { signal } = waiter;
        await Promise.race([ended, delay(terminatedMs, undefined, { signal })]).finally(() => waiter.abort());
        for (const { job } of slots) job?.settle({ error: stoppedError() });
      })();
      return stopping;
    },
  };
}
