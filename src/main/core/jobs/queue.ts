import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import type { JobProgress, Pause } from '../../../shared/schemas/job.ts';
import { createSoundLooks, lookAtSound } from '../../../sound/sound-looks.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionBook } from '../connections/connection-registry.ts';
import { emptyLog } from '../database/database.ts';
import { cannotWrite, createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { codeOf } from '../files/errno.ts';
import { createPauses, type Pauses } from './circuit-breaker.ts';
import { createJournal, type JobStore } from './job-store.ts';
import { hasEnded, type Job } from './job.ts';
import { type LifeLock, takeLifeLock } from './process-lock.ts';
import { createRunner, type Runner } from './scheduler.ts';
import { createSpaceReservations } from './space-reservations.ts';
import { createIntake, type Intake } from './submit-jobs.ts';

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
    const stopListening = store.onNews((news) => {
      if (news.kind === 'removed') news.ids.forEach((id) => open.delete(id));
      else if (news.kind === 'put') for (const job of news.jobs) if (hasEnded(job)) open.delete(job.id);
      check();
    });
    check();
  });
}

/** Without a network a command waits this long before it hands the shell back. */
const patienceMs = 60_000;

/** A pause that whoever runs a command would wait for in vain: it needs a person, or lasts. */
export const isHopeless = ({ reason, since, until }: Pause, now: number): boolean =>
  until === null || reason === 'quota' || reason === 'disk' || (reason === 'offline' && now - since >= patienceMs);

interface Patience {
  readonly store: JobStore;
  readonly pauses: Pauses;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * As `settled`, but gives up where nothing will go on by itself for a while: resolves with the pause, and the jobs stay as they are
 * for the next command that asks for them.
 */
export async function settledOrStuck(
  { store, pauses, clock, signal }: Patience,
  ids: readonly string[],
): Promise<Pause | null> {
  const enough = new AbortController();
  const over = AbortSignal.any([signal, enough.signal]);
  // A job stays with its connection.
  const connections = new Set(ids.flatMap((id) => store.get(id)?.connection.id ?? []));
  const stuck = async (): Promise<Pause | null> => {
    for (;;) {
      const pause = pauses
        .list()
        .find(
          (held) => (held.connectionId === null || connections.has(held.connectionId)) && isHopeless(held, clock.now()),
        );
      if (pause) return pause;
      await clock.sleep(200, over);
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
  readonly pauses: Pauses;
  readonly intake: Intake;
  readonly runner: Runner;
  /** Through which everything that lives in the database writes what must not be lost. */
  readonly writes: WriteGate;
  /** This process, as the owner of what only one may work on. */
  readonly life: LifeLock;
  /** Ends the work. The database stays open for others, which it belongs to. */
  stop(): Promise<void>;
}

export interface QueueDependencies {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly connections: ConnectionBook;
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

function lifeLockIn(dataFolder: string): LifeLock {
  try {
    return takeLifeLock(dataFolder);
  } catch (cause) {
    // A folder that takes no file, or a lock that cannot be written into it.
    if (!cannotWrite(cause) && codeOf(cause) === undefined) throw cause;
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

function queueOf(database: DatabaseSync, life: LifeLock, dependencies: QueueDependencies): Queue {
  const { dataFolder, clock, random, connections, role, threadUrl, onProgress, onDefect } = dependencies;
  const writes = createWriteGate({ database, clock, onDefect });
  const store = createJournal({ database, clock, life, asks: role === 'command', onDefect });
  const pauses = createPauses({ database, clock, writes }, ({ reason }) => role === 'app' || reason !== 'person');
  const looks = threadUrl && createSoundLooks({ workerUrl: threadUrl('look-worker') });
  const runner = createRunner({
    store,
    look: looks?.look ?? lookAtSound,
    pauses,
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
  runner.onActivity((isActive) => {
    try {
      if (!isActive) emptyLog(database);
    } catch (error) {
      onDefect(error);
    }
  });
  return {
    store,
    pauses,
    runner,
    writes,
    life,
    intake: createIntake({ store, writes, randomId: randomUUID, adopt: runner.adopt }),
    async stop() {
      await runner.stop();
      await looks?.stop();
      writes.stop();
      life.release();
    },
  };
}
