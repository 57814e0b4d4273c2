import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import type { JobProgress, Pause } from '../../../shared/schemas/job.ts';
import { createSoundLooks, lookAtSound } from '../../../sound/sound-looks.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import { truncateWal } from '../database/database.ts';
import { isWriteBlocked, createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { errnoOf } from '../files/errno.ts';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';
import { createJobStore, type JobStore } from './job-store.ts';
import { hasEnded, type Job } from './job.ts';
import { type ProcessLock, acquireProcessLock } from './process-lock.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { createSpaceReservations } from './space-reservations.ts';
import { createSubmitJobs, type SubmitJobs } from './submit-jobs.ts';

/** Resolves with the jobs when all of them have ended. */
export function settled(store: JobStore, ids: readonly string[]): Promise<readonly Job[]> {
  const open = new Set(ids);
  const all = () => ids.map((id) => store.get(id)).filter((job) => job !== undefined);
  for (const job of all()) if (hasEnded(job)) open.delete(job.id);
  return new Promise((resolve) => {
    const check = () => {
      if (open.size > 0) return;
      stopListening();
      resolve(all());
    };
    const stopListening = store.onEvent((news) => {
      if (news.kind === 'removed') news.ids.forEach((id) => open.delete(id));
      else if (news.kind === 'put') for (const job of news.jobs) if (hasEnded(job)) open.delete(job.id);
      check();
    });
    check();
  });
}

/** A command waits this long for a network before it gives up. */
const offlinePatienceMs = 60_000;
/** A full disk is checked every 2 s (circuit-breaker.ts); a pause that outlasts a check needs the user. */
const diskPatienceMs = 2500;

/**
 * Finds a pause of these connections that a command would wait out in vain: it needs the user, or lasts. Call it regularly: it
 * measures for how long the database has been writable.
 */
export function createPatience({ breaker, writes, clock }: Pick<Patience, 'breaker' | 'writes' | 'clock'>) {
  let heldAt = -Infinity;
  return (has: (connectionId: string) => boolean): Pause | undefined => {
    const now = clock.now();
    // A paid result may be in memory only until it can be written. The disk that kept it there is then checked once more.
    if (writes.heldSince() !== null) heldAt = now;
    if (heldAt === now) return undefined;
    return breaker.list().find(({ connectionId, reason, since, until }) => {
      if (connectionId !== null && !has(connectionId)) return false;
      if (reason === 'disk') return now - Math.max(since, heldAt) >= diskPatienceMs;
      return until === null || reason === 'quota' || (reason === 'offline' && now - since >= offlinePatienceMs);
    });
  };
}

interface Patience {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly writes: Pick<WriteGate, 'heldSince'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * As `settled`, but gives up where nothing continues by itself: resolves with the pause, and the jobs stay as they are for the next
 * command that requests them.
 */
export async function settledOrStuck(
  { store, signal, ...rest }: Patience,
  ids: readonly string[],
): Promise<Pause | null> {
  const enough = new AbortController();
  const over = AbortSignal.any([signal, enough.signal]);
  // A job stays with its connection.
  const connections = new Set(ids.flatMap((id) => store.get(id)?.connection.id ?? []));
  const findHopeless = createPatience(rest);
  const stuck = async (): Promise<Pause | null> => {
    for (;;) {
      const pause = findHopeless((id) => connections.has(id));
      if (pause) return pause;
      await rest.clock.sleep(200, over);
    }
  };
  try {
    return await Promise.race([settled(store, ids).then(() => null), stuck()]);
  } finally {
    enough.abort();
  }
}

/** Jobs, on disk and at work. */
export interface Queue {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly intake: SubmitJobs;
  readonly scheduler: Scheduler;
  /** Through which everything that lives in the database writes what must not be lost. */
  readonly writes: WriteGate;
  /** This process, as the owner of what only one may work on. */
  readonly life: ProcessLock;
  /** Ends the work. The database stays open for others, which it belongs to. */
  stop(): Promise<void>;
}

export interface QueueDependencies {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly connections: ConnectionRegistry;
  /**
   * The app works until it is told otherwise and takes up what any dead process left; a command does what it was asked for, whether
   * or not somebody pressed pause in a window.
   */
  readonly role: 'app' | 'command';
  /** Where the modules of threads are. Without, files are looked at on this thread. */
  readonly threadUrl?: (name: 'look-worker') => URL;
  onProgress(progress: JobProgress): void;
  onDefect(error: unknown): void;
}

function lifeLockIn(dataFolder: string): ProcessLock {
  try {
    return acquireProcessLock(dataFolder);
  } catch (cause) {
    // A folder that takes no file, or a lock that cannot be written into it.
    if (!isWriteBlocked(cause) && errnoOf(cause) === undefined) throw cause;
    throw new AppError('data/not-writable', `cannot write to ${dataFolder}: ${String(cause)}`, { cause });
  }
}

/** The queue on an open database. Where it cannot be made, nobody is left to be taken for alive. */
export function createQueue(database: DatabaseSync, dependencies: QueueDependencies): Queue {
  const life = lifeLockIn(dependencies.dataFolder);
  try {
    return queueOf(database, life, dependencies);
  } catch (error) {
    life.release();
    throw error;
  }
}

function queueOf(database: DatabaseSync, life: ProcessLock, dependencies: QueueDependencies): Queue {
  const { dataFolder, clock, random, connections, role, threadUrl, onProgress, onDefect } = dependencies;
  const writes = createWriteGate({ database, clock, onDefect });
  const store = createJobStore({ database, clock, life, asks: role === 'command', onDefect });
  const breaker = createCircuitBreaker(
    { database, clock, writes },
    ({ reason }) => role === 'app' || reason !== 'person',
  );
  const looks = threadUrl && createSoundLooks({ workerUrl: threadUrl('look-worker') });
  const scheduler = createScheduler({
    store,
    look: looks?.look ?? lookAtSound,
    breaker,
    writes,
    space: createSpaceReservations(dataFolder, clock),
    clock,
    random,
    limitOf: ({ id, document }) => (connections.has(id) ? connections.get(id).document : document).limits.maxConcurrent,
    serviceOf: ({ id, document }) => connections.serviceAsOf(id, document),
    adoptable: () => (role === 'app' ? connections.list().map(({ id }) => id) : []),
    onProgress,
    onDefect,
  });
  scheduler.onActivity((isActive) => {
    try {
      if (!isActive) truncateWal(database);
    } catch (error) {
      onDefect(error);
    }
  });
  return {
    store,
    breaker,
    scheduler,
    writes,
    life,
    intake: createSubmitJobs({ store, writes, randomId: randomUUID, adopt: scheduler.adopt }),
    async stop() {
      await scheduler.stop();
      await looks?.stop();
      writes.stop();
      life.release();
    },
  };
}
