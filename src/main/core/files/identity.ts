import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { isNotFound } from './errno.ts';

/**
 * Identifies a file whatever its name. Decimal strings, because inode numbers exceed the exact range
 * of a number.
 */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
}

/** FAT stores times in steps of two seconds. */
export const fatTimeStepMs = 2000;

/** What is at a path. */
export interface FileStamp {
  readonly identity: FileIdentity;
  /** False for folders, links, pipes and other special files. */
  readonly isFile: boolean;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export const fileIdentityOf = ({ dev, ino }: BigIntStats): FileIdentity => ({
  device: String(dev),
  inode: String(ino),
});

/** Some network drives, especially of Windows, have no inode numbers: all of their files have 0. */
export const hasInode = ({ inode }: FileIdentity): boolean => inode !== '0' && inode !== '';

/** True only if it is certainly the same file. */
export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  hasInode(one) && one.device === other.device && one.inode === other.inode;

/** Returns what is at the path without following a link; null if nothing is. */
export async function fileStampAt(path: string): Promise<FileStamp | null> {
  try {
    const stats = await lstat(path, { bigint: true });
    return {
      identity: fileIdentityOf(stats),
      isFile: stats.isFile(),
      sizeBytes: Number(stats.size),
      modifiedMs: Number(stats.mtimeMs),
    };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Identifies the version of a file that was queued. Its device and inode are `0` where the system gives no steady ones. */
export interface SourceSnapshot extends FileIdentity {
  readonly sizeBytes: number;
  /** Nanoseconds since 1970. */
  readonly modifiedNs: string;
}

export const snapshotOf = (stats: BigIntStats): SourceSnapshot => ({
  ...fileIdentityOf(stats),
  sizeBytes: Number(stats.size),
  modifiedNs: String(stats.mtimeNs),
});

/** Compares device and inode only if both snapshots have them; some network drives of Windows give none, or 0. */
export function isUnchangedSource(a: SourceSnapshot, b: SourceSnapshot): boolean {
  const hasIdentity = [a.device, a.inode, b.device, b.inode].every((id) => id !== '0' && id !== '');
  if (hasIdentity && (a.device !== b.device || a.inode !== b.inode)) return false;
  return a.sizeBytes === b.sizeBytes && a.modifiedNs === b.modifiedNs;
}

/** Shows any change of a file: its snapshot, and when its inode last changed (nanoseconds since 1970). */
export interface Signature extends SourceSnapshot {
  readonly changedNs: string;
}

export const signatureOf = (stats: BigIntStats): Signature => ({
  ...snapshotOf(stats),
  changedNs: String(stats.ctimeNs),
});

/**
 * Formats a signature as a short text, of which a hundred thousand fit in memory. Omits the device,
 * because network drives get another number with each mount.
 */
export const signatureText = ({ inode, sizeBytes, modifiedNs, changedNs }: Signature): string =>
  `${inode}:${sizeBytes}:${modifiedNs}:${changedNs}`;

/** True if nothing about the file changed: its bytes, name, links and permissions. */
export const isUnchanged = (a: Signature, b: Signature): boolean => signatureText(a) === signatureText(b);

/** True if nothing has written to the file. It may have been renamed or linked. */
export const isSameContent = (a: Signature, b: Signature): boolean =>
  a.inode === b.inode && a.sizeBytes === b.sizeBytes && a.modifiedNs === b.modifiedNs;
