import { lstat } from 'node:fs/promises';
import type { ConversionJob } from '../jobs/job.ts';
import { hasContentOf } from '../outputs/finished-file.ts';
import { identityOf, isSame } from '../outputs/file-identity.ts';
import { snapshotOf } from '../voice-service/source-snapshot.ts';
import { isMissing } from './eyes/system-code.ts';

/**
 * Whether the file at a path is the recording that was sent: the same file, with the size and time that it had. Where its time or number
 * says otherwise, or nothing, its bytes decide: it may have been touched, and some disks have no numbers, make them up, or get another one
 * each time they are mounted.
 */
export async function isSource({ source, sourceSha256 }: ConversionJob, path: string): Promise<boolean> {
  const stats = await lstat(path, { bigint: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  const sent = source.snapshot;
  if (!stats?.isFile() || !sent) return false;
  const { sizeBytes, modifiedNs } = snapshotOf(stats);
  if (sizeBytes !== sent.sizeBytes) return false;
  if (modifiedNs === sent.modifiedNs && isSame(identityOf(stats), sent)) return true;
  const sha256 = sourceSha256 ?? source.sha256;
  return sha256 !== undefined && (await hasContentOf(path, { sizeBytes }, { sizeBytes, sha256 }));
}
