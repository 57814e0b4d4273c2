import { createHash } from 'node:crypto';
import type { Copies } from './history/copies.ts';
import type { JobStore } from './jobs/job-store.ts';
import { hasEnded, type Job } from './jobs/job.ts';

/** A job's source or result. With its hash (null if unknown), the waveform needs no file. */
export interface RecordedSound {
  readonly path: string;
  readonly sha256: string | null;
}

/** A sound that can be played: the source once it was checked, the result once the job is done. */
export function soundOf(job: Job, side: 'source' | 'result'): RecordedSound | undefined {
  if (side === 'result') {
    if (job.state !== 'done' || !job.output) return undefined;
    return { path: job.output.path, sha256: job.finished?.sha256 ?? null };
  }
  if (job.kind === 'speech' || job.outputFormat === null) return undefined;
  // Until the job ends, the file may change before the next attempt.
  return { path: job.source.path, sha256: hasEnded(job) ? job.sourceSha256 : null };
}

/** Lets the page tell whether two sounds are one file, or a file has moved, without its path. */
export const fileKey = (path: string): string => createHash('sha256').update(path).digest('base64url').slice(0, 22);

interface Sounds {
  readonly queue: { readonly store: Pick<JobStore, 'get'> };
  readonly copies: Pick<Copies, 'findSound'>;
}

/** Finds the path of a job's sound that can be played: its file or, of a result that is gone, its copy. */
export const createFindSound =
  (data: () => Promise<Sounds>) =>
  async (id: string, side: 'source' | 'result'): Promise<string | undefined> => {
    const { queue, copies } = await data();
    const job = queue.store.get(id);
    return job && side === 'result' ? copies.findSound(job) : job && soundOf(job, side)?.path;
  };
