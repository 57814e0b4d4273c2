import { basename, dirname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { type Clock, unlessAborted } from '../clock.ts';
import { createDiskQueries } from '../files/disk-queries.ts';
import { freeBytes } from '../files/folders.ts';
import { answersWithinMs, type Attended, createAttendance } from './attendance.ts';
import type { Job, JobSource } from './job.ts';

/** Reads the sources of jobs on disks that may hang. */
export interface SourceDisks {
  /**
   * Runs work that reads a job's source. Rejects with `input/disk-silent` if the disk does not answer while nothing is read either, and
   * a second after `signal` aborts. The job's next call then waits until the work has ended.
   */
  read<T>(
    job: Pick<Job, 'id'> & { readonly source: Pick<JobSource, 'path'> },
    signal: AbortSignal,
    work: (attended: Attended) => Promise<T>,
  ): Promise<T>;
}

/** Each holds a thread of libuv's, of which results and everything else need some. */
const maxHungDisks = 8;

export function createSourceDisks(clock: Pick<Clock, 'sleep'>, platform: NodeJS.Platform): SourceDisks {
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
    async read({ id, source: { path } }, signal, work) {
      // A disk that hangs already is not read: each attempt would hold a thread, and keep others from theirs.
      const silent = await unlessAborted(ask(path), signal);
      if (silent) throw silent;
      return attendance.attend(id, signal, work, {
        ask: () => ask(path),
        onHung(error) {
          throw error;
        },
      });
    },
  };
}
