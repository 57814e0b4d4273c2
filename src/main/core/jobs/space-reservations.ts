import { stat } from 'node:fs/promises';
import { estimateResultBytes } from '../../../sound/estimate-result.ts';
import { type Clock, unlessAborted } from '../clock.ts';
import { spaceAt } from '../files/folders.ts';
import { diskFull } from '../files/errno.ts';
import { openOutput } from '../files/pending-output.ts';
import { temporaryPathOf } from '../files/publish.ts';
import { type Job, outputFolder } from './job.ts';

/** Room for results, asked for before they are paid for. */
export interface SpaceReservations {
  /**
   * Reserves room for the result of a job and for what the journal writes about it. Throws `output/…` where a disk is too full, or the
   * folder takes no file. A network drive that hangs answers never: both calls end a second after their signal.
   */
  reserve(job: Job, signal: AbortSignal): Promise<void>;
  /** Counts the result of a job that is paid for already, and has to fit beside what others reserve. Rejects only for its signal. */
  expect(job: Job, signal: AbortSignal): Promise<void>;
  release(jobId: string): void;
}

interface Reservation {
  readonly device: bigint;
  readonly bytes: number;
  /** What of the result is on the disk already. */
  readonly temporaryPath: string;
}

/** The write-ahead log of a few jobs. */
const journalBytes = 1.25 * 1024 ** 2;
/** Slow reading aloud: 12 letters a second, or 4 characters of a script that writes syllables or words. */
const secondsPerLetter = 1 / 12;
const secondsPerWideCharacter = 1 / 4;
/** 24 kHz, mono, 16 bit, as speech comes. */
const speechBytesPerSecond = 48_000;

/** How many bytes the result of a job takes at most, as far as can be known before it is made. */
export function expectedBytes(job: Job): number {
  if (job.kind === 'speech') {
    const wide =
      job.text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
    const seconds = (job.text.length - wide) * secondsPerLetter + wide * secondsPerWideCharacter;
    return Math.ceil((seconds / job.settings.speed) * speechBytesPerSecond);
  }
  return estimateResultBytes({
    durationSeconds: job.durationSeconds,
    format: job.outputFormat ?? '.wav',
    speed: job.settings.speed,
    sourceBytes: job.source.snapshot?.sizeBytes ?? 0,
  });
}

/** How long the file that is tried may take to go again once nobody waits for it. */
const cleanUpMs = 1000;

/** `dataFolder` is where the journal is. */
export function createSpaceReservations(dataFolder: string, clock: Pick<Clock, 'sleep'>): SpaceReservations {
  const reservations = new Map<string, Reservation>();

  /** How much of each result is on the disk already, by job. */
  async function writtenBytes(): Promise<ReadonlyMap<string, number>> {
    const sizes = [...reservations].map(async ([id, { temporaryPath }]) => {
      const size = await stat(temporaryPath).then(
        (stats) => stats.size,
        () => 0,
      );
      return [id, size] as const;
    });
    return new Map(await Promise.all(sizes));
  }

  async function reserve(job: Job, signal: AbortSignal): Promise<void> {
    const folder = outputFolder(job);
    const bytes = expectedBytes(job);
    const written = await writtenBytes();
    const [target, data] = await Promise.all([spaceAt(folder), spaceAt(dataFolder)]);
    signal.throwIfAborted();
    if (data.freeBytes < journalBytes) throw diskFull(dataFolder, journalBytes);
    // From here to the entry nothing is waited for: others that asked meanwhile are among the reservations.
    const reserved = [...reservations]
      .filter(([id, { device }]) => id !== job.id && device === target.device)
      .map(([id, other]) => Math.max(0, other.bytes - (written.get(id) ?? 0)))
      .reduce((sum, one) => sum + one, target.device === data.device ? journalBytes : 0);
    if (target.freeBytes - reserved < bytes) throw diskFull(folder, bytes);
    reservations.set(job.id, { device: target.device, bytes, temporaryPath: temporaryPathOf(folder, job.id) });
    // A folder that takes no file would be found out only when the result is there.
    await (await openOutput(folder, job.id)).discard();
  }

  async function expect(job: Job, signal: AbortSignal): Promise<void> {
    const folder = outputFolder(job);
    // A folder that is away takes nothing, and the download says so.
    const target = await spaceAt(folder).catch(() => null);
    if (!target || signal.aborted) return;
    const temporaryPath = temporaryPathOf(folder, job.id);
    reservations.set(job.id, { device: target.device, bytes: expectedBytes(job), temporaryPath });
  }

  /** What `work` comes to; where it does not end in time after its signal, the signal's reason. */
  async function soonAfter(work: Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await unlessAborted(work, signal);
    } catch (error) {
      const done = new AbortController();
      const settled = work.catch(() => undefined).finally(() => done.abort());
      if (signal.aborted) await Promise.race([settled, clock.sleep(cleanUpMs, done.signal).catch(() => undefined)]);
      throw error;
    }
  }

  return {
    reserve: (job, signal) => soonAfter(reserve(job, signal), signal),
    expect: (job, signal) => soonAfter(expect(job, signal), signal),
    release: (jobId) => void reservations.delete(jobId),
  };
}
