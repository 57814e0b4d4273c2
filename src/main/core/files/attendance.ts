import type { AppError } from '../../../shared/errors.ts';
import { type Clock, unlessAborted } from '../clock.ts';

export type OnHung = (error: AppError) => void;

/** What attended work is given, and what it reports. */
export interface Attended {
  /** Aborted also once nobody waits for the work any more. */
  readonly signal: AbortSignal;
  /** Call when something was read or written: a disk that is slow to answer does not hang. */
  onTransferred(): void;
}

interface Disk {
  /** Resolves with an error if the disk does not answer. */
  ask(): Promise<AppError | null>;
  readonly onHung: OnHung;
}

/** Waits for work on disks that may hang. */
export interface Attendance {
  /**
   * Runs work on a disk. Calls `onHung` each time the disk does not answer a question while nothing is read or written either. What
   * waits for a disk cannot be ended: it goes on when the disk answers. This rejects all the same if `onHung` throws, and a second
   * after `signal` aborts; the next call with this key then waits until the work has ended.
   */
  attend<T>(key: string, signal: AbortSignal, work: (attended: Attended) => Promise<T>, disk: Disk): Promise<T>;
}

/** A disk that has to spin up takes ten seconds; a network drive whose server is gone never answers. */
export const answersWithinMs = 20_000;

/** How long work may take to remove its file once it is aborted. */
const cleanUpMs = 1000;

export function createAttendance(clock: Pick<Clock, 'sleep'>): Attendance {
  /** Work that nobody waits for any more. */
  const abandoned = new Map<string, Promise<unknown>>();

  /** Calls `onHung` whenever the disk does not answer, until `ended` aborts. Rejects if `onHung` throws. */
  async function watchDisk({ ask, onHung }: Disk, transfers: () => number, ended: AbortSignal): Promise<void> {
    for (let before = 0; ;) {
      const error = await ask();
      if (ended.aborted) return;
      if (error && transfers() === before) onHung(error);
      before = transfers();
      await clock.sleep(answersWithinMs, ended).catch(() => undefined);
    }
  }

  return {
    async attend(key, signal, work, disk) {
      const [givingUp, ended] = [new AbortController(), new AbortController()];
      const own = AbortSignal.any([signal, givingUp.signal]);
      let transfers = 0;
      const working = (async () => {
        await abandoned.get(key);
        own.throwIfAborted();
        return work({ signal: own, onTransferred: () => void (transfers += 1) });
      })().finally(() => ended.abort());
      const watching = watchDisk(disk, () => transfers, ended.signal).then(() => working);
      try {
        return await unlessAborted(Promise.race([working, watching]), signal);
      } catch (error) {
        if (signal.aborted) await clock.sleep(cleanUpMs, ended.signal).catch(() => undefined);
        if (ended.signal.aborted) return await working;
        givingUp.abort(error);
        // A report of this disk would now be about work that nobody waits for.
        ended.abort();
        const rest = working
          .catch(() => undefined)
          .finally(() => {
            if (abandoned.get(key) === rest) abandoned.delete(key);
          });
        abandoned.set(key, rest);
        throw error;
      }
    },
  };
}
