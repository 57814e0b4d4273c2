import { parentPort } from 'node:worker_threads';
import { AppError, type Problem } from '../shared/errors.ts';
import { isOutOfHandles, type PoolMessage, type PoolReply } from './worker-pool.ts';

/** An unreadable file is an input problem, however deep it was opened. */
function problemOf(thrown: unknown): Problem {
  if (thrown instanceof AppError) return thrown.problem;
  if (isOutOfHandles(thrown)) return { code: 'system/too-many-files' };
  if (thrown instanceof Error && 'code' in thrown) {
    if (thrown.code === 'ENOENT') return { code: 'input/missing' };
    if (thrown.code === 'EACCES' || thrown.code === 'EPERM') return { code: 'input/unreadable' };
    if (thrown.code === 'ENOSPC') return { code: 'output/disk-full' };
  }
  return { code: 'internal' };
}

/** How long an aborted request may take to clean up; what takes longer waits for a disk. */
const cleanUpMs = 1000;

/**
 * The worker's side of a pool. Replies to each request with the result of `handle`, or with its
 * problem. Any other error ends the worker, and the pool starts another. Messages are not validated,
 * because both sides are built together.
 */
export function servePool(handle: (request: never, signal: AbortSignal) => Promise<unknown>): void {
  const port = parentPort;
  if (!port) throw new Error('servePool runs in a worker thread only');
  const running = new Map<number, AbortController>();
  let isHeld = false;

  function tellIfHeld(id: number): void {
    if (!running.has(id)) return;
    isHeld = true;
    port?.postMessage({ id, isHeld } satisfies PoolReply<unknown>);
  }

  port.on('message', (message: PoolMessage<never>) => {
    const { id } = message;
    if (message.kind === 'abort') {
      running.get(id)?.abort();
      setTimeout(() => tellIfHeld(id), cleanUpMs).unref();
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    const reply = (message: PoolReply<unknown>) => {
      running.delete(id);
      if (isHeld) port.close();
      else port.postMessage(message);
    };
    handle(message.request, controller.signal).then(
      (value) => reply({ id, ok: true, value }),
      (thrown: unknown) =>
        reply({
          id,
          ok: false,
          problem: problemOf(thrown),
          message: thrown instanceof Error ? thrown.message : String(thrown),
        }),
    );
  });
}
