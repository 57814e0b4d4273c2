import { Worker } from 'node:worker_threads';
import type { EncodeOptions, SoundWriter } from '../sound/sound-writer.ts';

/** What the encoding thread is told; each message is answered with an `EncodeReply` in turn. */
export type EncodeMessage =
  | { readonly kind: 'open'; readonly path: string; readonly options: EncodeOptions }
  | { readonly kind: 'write'; readonly channels: readonly Float32Array[] }
  | { readonly kind: 'finish' }
  | { readonly kind: 'close' };

export type EncodeReply = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** Opens writers that encode in a thread of their own. */
export interface ThreadedEncoder {
  open(path: string, options: EncodeOptions): Promise<SoundWriter>;
}

/**
 * Blocks under way at most, about 4 MB of 32,768 frames: all of one decoded piece, because the stretcher works through it without
 * letting replies in.
 */
const mostPending = 32;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Encoding beside the stretching: MP3 costs half as much time as the voice itself. One thread, started with the first file and kept for
 * the next; one file at a time, its blocks strictly in order. It does not keep its process alive, and a thread that dies fails the file
 * it had and is replaced.
 */
export function createThreadedEncoder(workerUrl: URL): ThreadedEncoder {
  let worker: Worker | null = null;
  let waiting: Waiting[] = [];

  const lose = (lost: Worker, error: unknown) => {
    if (worker !== lost) return;
    worker = null;
    const failed = waiting;
    waiting = [];
    for (const { reject } of failed) reject(error);
  };

  const startWorker = (): Worker => {
    const started = new Worker(workerUrl, { stdout: true, stderr: true });
    started.stdout.resume();
    started.stderr.resume();
    started.on('message', (reply: EncodeReply) => {
      const first = waiting.shift();
      if (!waiting.length) started.unref();
      if (reply.ok) first?.resolve();
      else first?.reject(reply.error);
    });
    started.on('error', (error) => lose(started, error));
    started.on('exit', (code) => lose(started, new Error(`the encoding thread ended with ${code}`)));
    return started;
  };

  const send = (message: EncodeMessage): Promise<void> => {
    worker ??= startWorker();
    worker.ref();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push({ resolve, reject });
    worker.postMessage(message);
    return promise;
  };

  return {
    async open(path, options) {
      await send({ kind: 'open', path, options });
      let pending: Promise<void>[] = [];
      const failures: unknown[] = [];
      const settle = async (most: number) => {
        while (pending.length > most) await pending.shift();
        if (failures.length) throw failures[0];
      };
      return {
        async write(channels) {
          pending.push(send({ kind: 'write', channels }).catch((error: unknown) => void failures.push(error)));
          await settle(mostPending);
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
