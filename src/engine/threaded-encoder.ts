import { Worker } from 'node:worker_threads';
import type { EncodeOptions, SoundWriter } from '../sound/sound-writer.ts';

/** A message to the encoder worker. It replies to each with an `EncodeReply`, in order. */
export type EncodeMessage =
  | { readonly kind: 'open'; readonly path: string; readonly options: EncodeOptions }
  | { readonly kind: 'write'; readonly channels: readonly Float32Array[] }
  | { readonly kind: 'finish' }
  | { readonly kind: 'close' };

export type EncodeReply = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** Opens writers that encode in a worker thread. */
export interface ThreadedEncoder {
  open(path: string, options: EncodeOptions): Promise<SoundWriter>;
}

/**
 * Maximum number of blocks in flight: about 4 MB of 32,768 frames each, or one decoded piece,
 * because the stretcher processes a piece without yielding to the event loop.
 */
const maxPendingBlocks = 32;

interface PendingReply {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Encodes in parallel with the stretching, because MP3 costs half as much time as the voice itself.
 * One worker, started with the first file and reused; one file at a time, its blocks in order. It
 * does not keep the process alive. A worker that dies fails its file and is replaced.
 */
export function createThreadedEncoder(workerUrl: URL): ThreadedEncoder {
  let worker: Worker | null = null;
  let pendingReplies: PendingReply[] = [];

  const onWorkerLost = (lost: Worker, error: unknown) => {
    if (worker !== lost) return;
    worker = null;
    const failed = pendingReplies;
    pendingReplies = [];
    for (const { reject } of failed) reject(error);
  };

  const startWorker = (): Worker => {
    const started = new Worker(workerUrl, { stdout: true, stderr: true });
    started.stdout.resume();
    started.stderr.resume();
    started.on('message', (reply: EncodeReply) => {
      const first = pendingReplies.shift();
      if (!pendingReplies.length) started.unref();
      if (reply.ok) first?.resolve();
      else first?.reject(reply.error);
    });
    started.on('error', (error) => onWorkerLost(started, error));
    started.on('exit', (code) => onWorkerLost(started, new Error(`the encoding thread ended with ${code}`)));
    return started;
  };

  const send = (message: EncodeMessage): Promise<void> => {
    worker ??= startWorker();
    worker.ref();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    pendingReplies.push({ resolve, reject });
    worker.postMessage(message);
    return promise;
  };

  return {
    async open(path, options) {
      await send({ kind: 'open', path, options });
      let pending: Promise<void>[] = [];
      const failures: unknown[] = [];
      const settle = async (maxPending: number) => {
        while (pending.length > maxPending) await pending.shift();
        if (failures.length) throw failures[0];
      };
      return {
        async write(channels) {
          pending.push(send({ kind: 'write', channels }).catch((error: unknown) => void failures.push(error)));
          await settle(maxPendingBlocks);
        },
        async finish() {
          await settle(0);
          await send({ kind: 'finish' });
        },
        async close() {
          await Promise.all(pending);
          pending = [];
          await send({ kind: 'close' });
        },
      };
    },
  };
}
