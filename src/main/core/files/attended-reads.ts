import { basename, dirname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { type Clock, unlessAborted } from '../clock.ts';
import { answersWithinMs, type Attended, createAttendance } from './attendance.ts';
import { createDiskQueries } from './disk-queries.ts';
import { freeBytes } from './folders.ts';

/** Reads files on disks that may hang. */
export interface AttendedReads {
  /**
   * Runs work that reads a file. Rejects with `input/disk-silent` if the disk does not answer while nothing is read either, and a
   * second after `signal` aborts. The next call with this key then waits until the work has ended.
   */
  read<T>(
    file: { readonly key: string; readonly path: string },
    signal: AbortSignal,
    work: (attended: Attended) => Promise<T>,
  ): Promise<T>;
}

/** Each holds a thread of libuv's, of which results and everything else need some. */
const maxHungDisks = 8;

export function createAttendedReads(clock: Pick<Clock, 'sleep'>, platform: NodeJS.Platform): AttendedReads {
  const attendance = createAttendance(clock);
  const disks = createDiskQueries({ clock, platform, answersWithinMs, maxHungDisks });

  async function ask(path: string): Promise<AppError | null> {
    // Whatever else is wrong with the disk, the work reports itself.
    const free = await disks.query(path, () => freeBytes(dirname(path))).catch(() => null);
    if (free !== undefined) return null;
    return new AppError('input/disk-silent', `the disk of ${path} does not answer`, {
      facts: { name: basename(path) },
    });
  }

  return {
    async read({ key, path }, signal, work) {
      // A disk that hangs already is not read: each attempt would hold a thread, and keep others from theirs.
      const silent = await unlessAborted(ask(path), signal);
      if (silent) throw silent;
      return attendance.attend(key, signal, work, {
        ask: () => ask(path),
        onHung(error) {
          throw error;
        },
      });
    },
  };
}
