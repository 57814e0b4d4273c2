import { basename } from 'node:path';
import type { Job } from '../jobs/job.ts';
import type { FileIdentity } from '../outputs/file-identity.ts';

/** A file of an entry, as it was when Timbre had it last. Null where nobody knows. */
export interface EntryFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number | null;
  /** Hex. */
  readonly sha256: string | null;
  readonly identity: FileIdentity | null;
  /** Nanoseconds since 1970; of sources only. */
  readonly modifiedNs: string | null;
  /** Nobody has written into it since, in milliseconds since 1970; of results only. */
  readonly finishedAt: number | null;
}

export type WhichFile = 'source' | 'result';

export function sourceOf(job: Job): EntryFile | null {
  if (job.kind === 'speech') return null;
  const { path, snapshot, sha256 } = job.source;
  return {
    path,
    name: basename(path),
    sizeBytes: snapshot?.sizeBytes ?? null,
    sha256: job.sourceSha256 ?? sha256 ?? null,
    identity: snapshot && { device: snapshot.device, inode: snapshot.inode },
    modifiedNs: snapshot?.modifiedNs ?? null,
    finishedAt: null,
  };
}

export function resultOf({ state, output, finished, endedAt }: Job): EntryFile | null {
  if (state !== 'done' || !output || !finished) return null;
  return {
    path: output.path,
    name: basename(output.path),
    sizeBytes: finished.sizeBytes,
    sha256: finished.sha256,
    identity: finished.identity,
    modifiedNs: null,
    finishedAt: endedAt,
  };
}

export const fileOf = (job: Job, which: WhichFile): EntryFile | null =>
  which === 'source' ? sourceOf(job) : resultOf(job);
