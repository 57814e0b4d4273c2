import type { Pause } from '../../../shared/schemas/job.ts';
import type { Clock } from '../clock.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { JobStore } from './job-store.ts';
import { hasEnded, type Job } from './job.ts';
import type { Scheduler } from './scheduler.ts';

/** Resolves with the jobs when all have ended or are removed. Rejects when `signal` is aborted. */
export function settled(store: JobStore, ids: readonly string[], signal?: AbortSignal): Promise<readonly Job[]> {
  const open = new Set(ids);
  const all = () => ids.map((id) => store.get(id)).filter((job) => job !== undefined);
  for (const job of all()) if (hasEnded(job)) open.delete(job.id);
  return new Promise((resolve, reject) => {
    const end = () => {
      unsubscribe();
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(signal?.reason as Error);
    };
    const check = () => {
      if (open.size > 0) return;
      end();
      resolve(all());
    };
    const unsubscribe = store.onEvent((event) => {
      if (event.kind === 'removed') event.ids.forEach((id) => open.delete(id));
      else if (event.kind === 'upserted') for (const job of event.jobs) if (hasEnded(job)) open.delete(job.id);
      check();
    });
    if (signal?.aborted) {
      abort();
      return;
    }
    signal?.addEventListener('abort', abort);
    check();
  });
}

/** A command waits this long for a network before it gives up. */
const maxOfflineWaitMs = 60_000;
/** A full disk is checked every 2 s (disk-watch.ts); a pause that outlasts a check needs the user. */
const maxDiskWaitMs = 2500;

interface WaitDependencies {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly writes: Pick<WriteGate, 'heldSince' | 'isDamaged'>;
  readonly scheduler: Pick<Scheduler, 'unansweredPaidCalls'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Finds a pause of these connections that a command would wait out in vain: it needs the user, or lasts. None while a paid call
 * is unanswered. Call it regularly: it measures for how long the database has been writable.
 */
export function createBlockingPauseFinder({
  breaker,
  writes,
  scheduler,
  clock,
}: Pick<WaitDependencies, 'breaker' | 'writes' | 'scheduler' | 'clock'>) {
  let heldAt = -Infinity;
  return (has: (connectionId: string) => boolean): Pause | undefined => {
    const now = clock.now();
    // A paid result may be in memory only until it can be written. The disk that kept it there is then checked once more.
    if (writes.isDamaged()) return breaker.list().find(({ reason }) => reason === 'data');
    if (writes.heldSince() !== null) heldAt = now;
    if (heldAt === now) return undefined;
    // Ending the command would cut them: the service charges for what nobody receives.
    if (scheduler.unansweredPaidCalls() > 0) return undefined;
    return breaker.list().find(({ connectionId, reason, since, resumesAt }) => {
      if (connectionId !== null && !has(connectionId)) return false;
      if (reason === 'disk') return now - Math.max(since, heldAt) >= maxDiskWaitMs;
      const needsUser = resumesAt === null || reason === 'quota' || reason === 'uncertain';
      return needsUser || (reason === 'offline' && now - since >= maxOfflineWaitMs);
    });
  };
}

/**
 * As `settled`, but gives up where nothing continues by itself: resolves with the pause, and the jobs stay as they are for the next
 * command that requests them.
 */
export async function settledOrStuck(
  { store, signal, ...rest }: WaitDependencies,
  ids: readonly string[],
): Promise<Pause | null> {
  const finished = new AbortController();
  const stopped = AbortSignal.any([signal, finished.signal]);
  // A job never changes its connection, so once is enough.
  const connections = new Set(ids.flatMap((id) => store.get(id)?.connection.id ?? []));
  const findBlockingPause = createBlockingPauseFinder(rest);
  const stuck = async (): Promise<Pause | null> => {
    for (;;) {
      const pause = findBlockingPause((id) => connections.has(id));
      if (pause) return pause;
      await rest.clock.sleep(200, stopped);
    }
  };
  try {
    return await Promise.race([settled(store, ids, stopped).then(() => null), stuck()]);
  } finally {
    finished.abort();
  }
}
