import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { JobProgress } from '../../../shared/wire/job.ts';
import { createSoundLooks, lookAtSound } from '../../../sound/sound-looks.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionBook } from '../connections/connection-book.ts';
import { AppError } from '../../../shared/app-error.ts';
import { emptyLog } from '../database/empty-log.ts';
import { cannotWrite, createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { createIntake, type Intake } from './intake.ts';
import type { JobStore } from './job-store.ts';
import { createJournal } from './journal.ts';
import { codeOf } from '../outputs/output-error.ts';
import { takeLifeLock, type LifeLock } from './life-lock.ts';
import { createPauses, type Pauses } from './pauses.ts';
import { createSpaceReservations } from './reserve-space.ts';
import { createRunner, type Runner } from './runner.ts';

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
