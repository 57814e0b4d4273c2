import { stat } from 'node:fs/promises';
import { AppError } from '../../../shared/errors.ts';
import { slowestSpeed } from '../../../shared/schemas/speech.ts';
import { estimateSpeechSeconds } from '../../../shared/text/speech-duration.ts';
import { estimateSubtitleSeconds } from '../../../shared/text/subtitles.ts';
import { estimateResultBytes } from '../../../sound/estimate-result.ts';
import { type Clock, unlessAborted } from '../clock.ts';
import { answersWithinMs, type Attended, createAttendance, type OnHung } from '../files/attendance.ts';
import { diskFull, folderMissing, inFolder } from '../files/errno.ts';
import {
  type DiskSpace,
  diskSpaceAt,
  freeBytes,
  isMounted,
  makeFolder,
  missingFolder,
  mountPointOf,
} from '../files/folders.ts';
import { openOutput } from '../files/pending-output.ts';
import { fileStampAt } from '../files/identity.ts';
import { canWriteBytes, temporaryPathOf } from '../files/publish.ts';
import { type Job, outputFolder, outputPathOf, type SpeechJob } from './job.ts';

/** Reserves disk space for results before they are paid for, and watches their disks while they are written. */
export interface SpaceReservations {
  /**
   * Makes the folder of a job's result, and reserves space for the result and for the database's log. Waits while other
   * results have reserved what is missing. Throws `output/…` if a disk is too full, was taken away or does not answer, or
   * if the folder is not writable. This and `expect` end at most a second after their signal aborts.
   */
  reserve(job: Job, signal: AbortSignal): Promise<void>;
  /** Reserves space for a result that is already paid for, even if it does not fit. Rejects only when aborted. */
  expect(job: Job, signal: AbortSignal): Promise<void>;
  /** Throws `output/folder-missing` if a result's folder is gone, or its disk since another result was reserved. */
  assertFolder(job: Job): Promise<void>;
  /**
   * Runs work on the folder of a job's result. Calls `onHung` with `output/folder-missing` each time the folder does not answer a
   * question while nothing is written either. What waits for a disk cannot be ended: it goes on when the disk answers. This rejects
   * all the same if `onHung` throws, and a second after `signal` aborts; the job's next call then waits until the work has ended.
   */
  attend<T>(job: Job, signal: AbortSignal, work: (attended: Attended) => Promise<T>, onHung: OnHung): Promise<T>;
  release(jobId: string): void;
  /** Bytes of the disk of a folder that are reserved and not yet written. */
  reservedBytes(folder: string): Promise<number>;
}

interface Reservation {
  readonly device: bigint;
  readonly bytes: number;
  /** Holds the part of the result that is already on disk. */
  readonly temporaryPath: string;
}

/** Enough for a write-ahead log of a few jobs. */
const logBytes = 1.25 * 1024 ** 2;
/** 24 kHz, mono, 16 bit. */
export const speechBytesPerSecond = 48_000;

/** Estimated length of the result, on the high side. */
export const speechSecondsOf = ({ text, settings }: Pick<SpeechJob, 'text' | 'settings'>): number =>
  settings.textFormat === 'subtitles'
    ? estimateSubtitleSeconds(text, slowestSpeed(settings))
    : estimateSpeechSeconds(text) / slowestSpeed(settings);

/** Estimates the maximum size of a job's result. */
export function expectedBytes(job: Job): number {
  if (job.kind === 'speech') {
    return Math.ceil(speechSecondsOf(job) * speechBytesPerSecond);
  }
  return estimateResultBytes({
    durationSeconds: job.durationSeconds,
    format: job.outputFormat ?? '.wav',
    speed: job.settings.speed,
    sourceBytes: job.source.snapshot?.sizeBytes ?? 0,
  });
}

/** Throws another error for one of a disk that took results before it became read-only: it may take some again. */
export function throwIfReadOnly(error: unknown, folder: string): void {
  const { code, facts } = error instanceof AppError ? error.problem : {};
  if (code !== 'output/not-writable' || facts?.['reason'] !== 'EROFS') return;
  throw new AppError(code, `${folder} became read-only`, { facts: { ...facts, before: 'writable' } });
}

/** No folder has so many results of one name. */
const maxNameAttempts = 10_000;

/** `dataFolder` contains the database. */
export function createSpaceReservations(dataFolder: string, clock: Pick<Clock, 'sleep'>): SpaceReservations {
  const reservations = new Map<string, Reservation>();
  /** Where the disk of each folder was mounted, for the life of the process: a job may wait for it for days. */
  const mountPoints = new Map<string, string | null>();
  /** The last folder of each disk in which something could be written. */
  const writableFolders = new Map<bigint, string>();
  let nextRelease = Promise.withResolvers<void>();
  /** Disks that have not answered yet, by folder. Each occupies a thread of libuv's, so none is asked twice. */
  const unanswered = new Map<string, Promise<DiskSpace>>();
  const attendance = createAttendance(clock);

  async function askSpace(folder: string): Promise<DiskSpace> {
    // A folder that is not there yet can be made, but only on its own disk.
    const mountPoint = mountPoints.get(folder) ?? null;
    if (mountPoint !== null && !(await isMounted(mountPoint))) throw folderMissing(folder, mountPoint);
    return diskSpaceAt(folder);
  }

  /** Asks the disk of a folder, or waits for what it was asked already. Throws `output/folder-missing` if it does not answer. */
  async function spaceAt(folder: string): Promise<DiskSpace> {
    const answer = unanswered.get(folder) ?? askSpace(folder).finally(() => unanswered.delete(folder));
    unanswered.set(folder, answer);
    const hasAnswered = new AbortController();
    const { signal } = hasAnswered;
    // In halves: if the machine slept, or this process was stopped, one ends at once, maybe before an answer that has come is seen.
    const isLate = clock
      .sleep(answersWithinMs / 2, signal)
      .then(() => clock.sleep(answersWithinMs / 2, signal))
      .then(
        () => true,
        () => false,
      );
    const isHung = await Promise.race([answer.then(() => false), isLate]).finally(() => hasAnswered.abort());
    if (isHung) throw folderMissing(folder, mountPoints.get(folder) ?? null, 'ETIMEDOUT');
    return answer;
  }

  function release(jobId: string): void {
    if (!reservations.delete(jobId)) return;
    nextRelease.resolve();
    nextRelease = Promise.withResolvers();
  }

  /** Bytes of each other result that are already on this disk, by job id. */
  async function writtenBytes(ownId: string | null, onDevice: bigint): Promise<ReadonlyMap<string, number>> {
    const others = [...reservations].filter(([id, { device }]) => id !== ownId && device === onDevice);
    const sizes = others.map(async ([id, { temporaryPath }]) => {
      const size = await stat(temporaryPath).then(
        (stats) => stats.size,
        () => 0,
      );
      return [id, size] as const;
    });
    return new Map(await Promise.all(sizes));
  }

  /** Bytes that other results on this disk still need, in this very moment. */
  const outstandingBytes = (ownId: string | null, device: bigint, written: ReadonlyMap<string, number>): number =>
    [...reservations]
      .filter(([id, reservation]) => id !== ownId && reservation.device === device)
      .reduce((sum, [id, { bytes }]) => sum + Math.max(0, bytes - (written.get(id) ?? 0)), 0);

  /** True if another result has reserved space of this disk: it releases what it does not use. */
  const isShared = (ownId: string, device: bigint): boolean =>
    [...reservations].some(([id, reservation]) => id !== ownId && reservation.device === device);

  async function reserve(job: Job, signal: AbortSignal): Promise<void> {
    const folder = outputFolder(job);
    const bytes = expectedBytes(job);
    let disk = await spaceAt(folder);
    for (;;) {
      const { device } = disk;
      const written = await writtenBytes(job.id, device);
      const [free, data] = await Promise.all([freeBytes(folder), diskSpaceAt(dataFolder)]);
      signal.throwIfAborted();
      if (data.freeBytes < logBytes) throw diskFull(dataFolder, logBytes);
      // No await from here to `reservations.set`: concurrent calls must see each other's reservations.
      const needed = bytes + (device === data.device ? logBytes : 0);
      if (free - outstandingBytes(job.id, device, written) >= needed) {
        reservations.set(job.id, { device, bytes, temporaryPath: temporaryPathOf(folder, job.id) });
        break;
      }
      if (!isShared(job.id, device)) throw diskFull(folder, needed);
      // Two that kept what they reserved would wait for each other for ever.
      release(job.id);
      await unlessAborted(nextRelease.promise, signal);
      disk = await spaceAt(folder);
    }
    // Creates a test file, and looks for one of the result's name: otherwise an unwritable folder, or one for which the name
    // is too long, would go unnoticed until the result is paid for.
    try {
      if (!disk.hasFolder) await inFolder(folder, () => makeFolder(folder));
      await (await openOutput(folder, job.id)).discard();
    } catch (error) {
      const writable = writableFolders.get(disk.device);
      // A part of a disk may be mounted read-only from the start.
      if (writable !== undefined && !(await canWriteBytes(writable, 1))) throwIfReadOnly(error, folder);
      throw error;
    }
    writableFolders.set(disk.device, folder);
    await inFolder(folder, () => fileStampAt(outputPathOf(job, maxNameAttempts)));
    if (!mountPoints.has(folder)) mountPoints.set(folder, await mountPointOf(folder));
  }

  async function expect(job: Job, signal: AbortSignal): Promise<void> {
    const folder = outputFolder(job);
    // If the folder is missing, the download reports it.
    const target = await spaceAt(folder).catch(() => null);
    if (!target || signal.aborted) return;
    const temporaryPath = temporaryPathOf(folder, job.id);
    reservations.set(job.id, { device: target.device, bytes: expectedBytes(job), temporaryPath });
  }

  /** Resolves with the error if the folder or its disk is away. */
  const askFolder = async (folder: string): Promise<AppError | null> => {
    const error: unknown = await spaceAt(folder).then(
      () => null,
      (reason: unknown) => reason,
    );
    // Whatever else is wrong with the folder, the work reports itself.
    return error instanceof AppError && error.code === 'output/folder-missing' ? error : null;
  };

  function attend<T>(
    job: Job,
    signal: AbortSignal,
    work: (attended: Attended) => Promise<T>,
    onHung: OnHung,
  ): Promise<T> {
    const folder = outputFolder(job);
    return attendance.attend(`${job.id} ${folder}`, signal, work, { ask: () => askFolder(folder), onHung });
  }

  async function assertFolder(job: Job): Promise<void> {
    const folder = outputFolder(job);
    const missing = await missingFolder(folder, mountPoints.get(folder) ?? null);
    if (missing) throw missing;
  }

  return {
    assertFolder,
    attend,
    reserve: (job, signal) =>
      attend(
        job,
        signal,
        (attended) => reserve(job, attended.signal),
        (error) => {
          throw error;
        },
      ),
    expect: (job, signal) => unlessAborted(expect(job, signal), signal),
    release,
    async reservedBytes(folder) {
      if (reservations.size === 0) return 0;
      const { device } = await diskSpaceAt(folder);
      return outstandingBytes(null, device, await writtenBytes(null, device));
    },
  };
}
