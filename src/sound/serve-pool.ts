import { parentPort } from 'node:worker_threads';
import { AppError, type Problem } from '../shared/errors.ts';
import type { PoolMessage, PoolReply } from './worker-pool.ts';

/** A file that cannot be read is the input's fault, however deep it was opened. */
function problemOf(thrown: unknown): Problem {
  if (thrown instanceof AppError) return thrown.problem;
  if (thrown instanceof Error && 'code' in thrown) {
    if (thrown.code === 'ENOENT') return { code: 'input/missing' };
    if (thrown.code === 'EACCES' || thrown.code === 'EPERM') return { code: 'input/unreadable' };
    if (thrown.code === 'ENOSPC') return { code: 'output/disk-full' };
  }
  return { code: 'internal' };
}

/**
 * The worker's side of a pool: answers each request with what `handle` gives, or its problem. Whatever else is thrown in the
 * worker ends it, and the pool makes another. What arrives is what the pool's owner sends: both sides are built together.
 */
export function servePool(handle: (request: never, signal: AbortSignal) => Promise<unknown>): void {
  const port = parentPort;
  if (!port) throw new Error('servePool runs in a worker thread only');
  const running = new Map<number, AbortController>();
  port.on('message', (message: PoolMessage<never>) => {
    const { id } = message;
    if (message.kind === 'abort') {
      running.get(id)?.abort();
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    const answer = (reply: PoolReply<unknown>) => {
      running.delete(id);
      port.postMessage(reply);
    };
    handle(message.request, controller.signal).then(
      (value) => answer({ id, ok: true, value }),
      (thrown: unknown) =>
        answer({
          id,
          ok: false,
          problem: problemOf(thrown),
          message: thrown instanceof Error ? thrown.message : String(thrown),
        }),
    );
  });
}
