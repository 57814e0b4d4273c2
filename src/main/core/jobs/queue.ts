import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import { localConnectionId } from '../../../shared/schemas/connection.ts';
import type { JobProgress } from '../../../shared/schemas/job.ts';
import type { JoinSounds } from '../../../sound/join-sounds.ts';
import { createSoundInspector, inspectAndVerify, type InspectSound } from '../../../sound/sound-inspector.ts';
import { createSoundTranscoder } from '../../../sound/sound-transcoder.ts';
import type { TranscodeSound } from '../../../sound/transcode-sound.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import { createCheckpoints, nextBatch } from '../database/checkpoints.ts';
import { createReadOnlyGate, createWriteGate, isWriteBlocked, type WriteGate } from '../database/write-gate.ts';
import { createAttendedReads } from '../files/attended-reads.ts';
import { errnoOf } from '../files/errno.ts';
import { createTakes, type Takes } from '../speech/takes.ts';
import { type BatteryPause, createBatteryPause } from './battery-pause.ts';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';
import { createJobStore, type JobStore } from './job-store.ts';
import { hasEnded, type Job } from './job.ts';
import { createOwnResults, type OwnResults } from './own-results.ts';
import { type ProcessLock, acquireProcessLock, readerLock } from './process-lock.ts';
import { hasPaidResult } from './retry-policy.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { type Preflight, preflight, type UncheckedJob } from './source-files.ts';
import { createSpaceReservations, type SpaceReservations } from './space-reservations.ts';
import { createSubmitJobs, type SubmitJobs } from './submit-jobs.ts';
import { createUploadSources } from './upload-source.ts';

/** A day of speech. What this computer spoke costs nothing to make again. */
const maxLocalTakeBytes = 4e9;
/**
 * There may be tens of thousands of takes. They are looked at once per so many that were added, on average: a command that adds one
 * rarely has to.
 */
const takesPerTrim = 500;

/** The job queue of one data folder: its jobs on disk and the scheduler that runs them. */
export interface Queue extends Pick<SpaceReservations, 'reservedBytes'> {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly batteryPause: Pick<BatteryPause, 'setPowerSource' | 'continueNow'>;
  readonly submitJobs: SubmitJobs;
  readonly ownResults: OwnResults;
  readonly scheduler: Scheduler;
  /** All writes to the database that must not be lost go through this gate. */
  readonly writes: WriteGate;
  /** Identifies this process as the owner of jobs and other rows. */
  readonly processLock: ProcessLock;
  readonly inspectSound: InspectSound;
  /** What converting a recording would find wrong with it. Rejects with `input/disk-silent` if its disk does not answer. */
  checkSource(job: UncheckedJob, signal: AbortSignal): Promise<Preflight>;
  readonly takes: Takes;
  /** Stops the scheduler and releases the lock. Leaves the database open; its opener closes it. */
  stop(): Promise<void>;
}

export interface QueueDependencies {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly connections: ConnectionRegistry;
  /**
   * The app runs until the user pauses it, and adopts the jobs of any dead process. A command runs the jobs that it waits for,
   * even if the user paused the queue in a window.
   */
  readonly role: 'app' | 'command';
  /**
   * When the user asked for what a command does, in milliseconds since 1970. By default, and in the app, they know all that has
   * ended by now.
   */
  readonly askedAt?: number;
  /** True while services must not be called; their jobs wait. False by default. */
  readonly isOfflineMode?: () => boolean;
  /** True if jobs wait while the computer runs on battery power, or has not said yet. False by default. */
  readonly isPausedOnBattery?: () => boolean;
  /** Locates worker modules. If omitted, files are inspected and decoded on this thread. */
  readonly threadUrl?: (name: 'checkpoint-worker' | 'inspection-worker' | 'sound-worker') => URL;
  /** Path of ffmpeg; null, as by default, if there is none. */
  readonly ffmpeg?: () => Promise<string | null>;
  /** Why the database is only read; null, as by default, if it is written. */
  readonly refusal?: AppError | null;
  /** As in the job store, with the id of this process. */
  recordDone?(job: Job, processId: string): void;
  onProgress(progress: JobProgress): void;
  onDefect(error: unknown): void;
}

function lockProcess({ dataFolder, refusal }: QueueDependencies): ProcessLock {
  if (refusal) return readerLock();
  try {
    return acquireProcessLock(dataFolder);
  } catch (cause) {
    // The folder or the lock file in it is not writable.
    if (!isWriteBlocked(cause) && errnoOf(cause) === undefined) throw cause;
    throw new AppError('data/not-writable', `cannot write to ${dataFolder}: ${String(cause)}`, { cause });
  }
}

/** Creates the queue on an open database. Releases the process lock if it throws, or this process would seem alive. */
export function createQueue(database: DatabaseSync, dependencies: QueueDependencies): Queue {
  const processLock = lockProcess(dependencies);
  try {
    return createQueueWithLock(database, processLock, dependencies);
  } catch (error) {
    processLock.release();
    throw error;
  }
}

function createQueueWithLock(database: DatabaseSync, processLock: ProcessLock, dependencies: QueueDependencies): Queue {
  const { dataFolder, clock, random, connections, role, threadUrl, onProgress, onDefect } = dependencies;
  const { isOfflineMode = () => false, isPausedOnBattery = () => false, recordDone, refusal = null } = dependencies;
  const { ffmpeg = () => Promise.resolve(null), askedAt = Infinity } = dependencies;
  const services = () =>
    connections
      .list()
      .filter(({ kind }) => kind === 'remote')
      .map(({ id }) => id);
  const writes = refusal ? createReadOnlyGate(refusal) : createWriteGate({ database, clock, onDefect });
  const store = createJobStore({
    database,
    clock,
    processLock,
    isCommand: role === 'command',
    documentNow: (id) => (connections.has(id) ? connections.get(id).document : undefined),
    ...(recordDone && { recordDone: (job: Job) => recordDone(job, processLock.id) }),
    onDefect,
  });
  const batteryPause = createBatteryPause({
    isWanted: isPausedOnBattery,
    now: clock.now,
    onChanged: () => breaker.poll(),
  });
  const breaker: CircuitBreaker = createCircuitBreaker(
    { database, clock, writes, offlineConnections: () => (isOfflineMode() ? services() : []), batteryPause },
    ({ reason }) => role === 'app' || reason !== 'user',
  );
  const ownResults = createOwnResults(database);
  const soundInspector = threadUrl && createSoundInspector({ workerUrl: threadUrl('inspection-worker') });
  const inspectSound = soundInspector?.inspect ?? inspectAndVerify;
  const transcoder = threadUrl && createSoundTranscoder({ workerUrl: threadUrl('sound-worker') });
  const transcode: TranscodeSound =
    transcoder?.transcode ??
    (async (path, options) => (await import('../../../sound/transcode-sound.ts')).transcodeSound(path, options));
  const joinSounds: JoinSounds =
    transcoder?.join ??
    (async (sounds, signal) => (await import('../../../sound/join-sounds.ts')).joinSounds(sounds, signal));
  const takes = createTakes(database, join(dataFolder, 'takes'), askedAt);
  const uploads = createUploadSources({ folder: join(dataFolder, 'uploads'), inspectSound, transcode, ffmpeg });
  const space = createSpaceReservations(dataFolder, clock);
  const { platform } = process;
  const { read: readSource } = createAttendedReads(clock, platform);
  const checkSource: Queue['checkSource'] = (job, signal) => {
    const { path } = job.source;
    return readSource({ key: path, path }, signal, (attended) =>
      preflight(job, attended.signal, { inspectSound, ffmpeg, platform }),
    );
  };
  const scheduler = createScheduler({
    tools: { store, inspectSound, joinSounds, takes, readSource, sendSource: uploads.sendSource, onProgress },
    breaker,
    writes,
    space,
    clock,
    random,
    preflight: checkSource,
    concurrencyOf: ({ id, document }) =>
      (connections.has(id) ? connections.get(id).document : document).limits.maxConcurrent,
    serviceFor: ({ id, document }, wrap) => connections.serviceWithDocument(id, document, wrap),
    adoptable: () =>
      role === 'app' ? { connectionIds: connections.list().map(({ id }) => id) } : { areRequested: true },
    onDefect,
  });
  /** A service's takes are paid for and all kept. */
  function trimTakes(): void {
    const isNeeded = () => !database.isOpen || store.hasUnfinishedSpeech();
    if (!isNeeded()) takes.trim(localConnectionId, maxLocalTakeBytes, isNeeded).catch(onDefect);
  }
  if (role === 'app' && !refusal) {
    const isOpen = (id: string) => {
      const job = store.get(id);
      return job !== undefined && !hasEnded(job);
    };
    // The sound of a failed job may be kept with the takes, as its own folder did not take it.
    const mayHaveSound = (id: string) => {
      const job = store.get(id);
      return job !== undefined && job.state !== 'done' && (!hasEnded(job) || hasPaidResult(job));
    };
    uploads.removeAbandoned(isOpen).catch(onDefect);
    takes.removeAbandoned(mayHaveSound).catch(onDefect);
    trimTakes();
  }
  const checkpoints = createCheckpoints({
    database,
    // A command has no window that would wait for the disk.
    workerUrl: role === 'app' && !refusal ? threadUrl?.('checkpoint-worker') : undefined,
    onDefect,
  });
  scheduler.onActivity((isActive) => {
    if (isActive) return;
    void checkpoints.truncate();
    if (random() * takesPerTrim < takes.addedSinceTrim(localConnectionId)) trimTakes();
  });
  return {
    store,
    breaker,
    batteryPause,
    scheduler,
    writes,
    processLock,
    inspectSound,
    checkSource,
    takes,
    ownResults,
    reservedBytes: space.reservedBytes,
    submitJobs: createSubmitJobs({
      store,
      inspectSound,
      clock,
      writes,
      isCommand: role === 'command',
      ownResults,
      randomId: randomUUID,
      nextBatch: () => nextBatch(database),
      askedAt,
      adoptOrphans: scheduler.adoptOrphans,
    }),
    async stop() {
      await scheduler.stop();
      await Promise.all([soundInspector?.stop(), transcoder?.stop(), checkpoints.stop()]);
      writes.stop();
      processLock.release();
    },
  };
}
