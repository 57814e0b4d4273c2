import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import type { Signature } from '../scanner/scanner.ts';
import { errnoOf } from './errno.ts';

/** Which file it is, whatever its name. Decimal strings: inode numbers are longer than a JavaScript number is exact. */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
}

/** What stands at a name. */
export interface Standing {
  readonly identity: FileIdentity;
  /** False for folders, links, pipes and whatever else is no plain file. */
  readonly isFile: boolean;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export const fileIdentityOf = ({ dev, ino }: BigIntStats): FileIdentity => ({
  device: String(dev),
  inode: String(ino),
});

/** Some network drives, above all of Windows, give no inode numbers: all of their files have 0. */
export const hasInode = ({ inode }: FileIdentity): boolean => inode !== '0' && inode !== '';

/** Whether it is certainly the same file. */
export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  hasInode(one) && one.device === other.device && one.inode === other.inode;

/** What stands at this name itself, a link not followed; null where nothing does. */
export async function standingAt(path: string): Promise<Standing | null> {
  try {
    const stats = await lstat(path, { bigint: true });
    return {
      identity: fileIdentityOf(stats),
      isFile: stats.isFile(),
      sizeBytes: Number(stats.size),
      modifiedMs: Number(stats.mtimeMs),
    };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** What tells whether a file is still the one that was queued. 64-bit values as decimal strings, so that none is rounded. */
export interface SourceSnapshot {
  /** `0` where the system gives no steady one. */
  readonly device: string;
  /** `0` where the system gives no steady one. */
  readonly inode: string;
  readonly sizeBytes: number;
  /** Nanoseconds since 1970. */
  readonly modifiedNs: string;
}

export const snapshotOf = ({ dev, ino, size, mtimeNs }: BigIntStats): SourceSnapshot => ({
  device: String(dev),
  inode: String(ino),
  sizeBytes: Number(size),
  modifiedNs: String(mtimeNs),
});

/** Device and inode count only where both snapshots have them: some network drives of Windows give none, or 0. */
export function isUnchangedSource(a: SourceSnapshot, b: SourceSnapshot): boolean {
  const identified = [a.device, a.inode, b.device, b.inode].every((id) => id !== '0' && id !== '');
  if (identified && (a.device !== b.device || a.inode !== b.inode)) return false;
  return a.sizeBytes === b.sizeBytes && a.modifiedNs === b.modifiedNs;
}

export const signatureOf = (stats: BigIntStats): Signature => ({
  ...snapshotOf(stats),
  changedNs: String(stats.ctimeNs),
});

/**
 * A signature as one short text, of which a hundred thousand fit in memory. Without the device: network drives are given another number
 * each time they are mounted, and no file has changed for that.
 */
export const signatureText = ({ inode, sizeBytes, modifiedNs, changedNs }: Signature): string =>
  `${inode}:${sizeBytes}:${modifiedNs}:${changedNs}`;

/** Nothing has touched the file: neither its bytes nor its name, links or rights. */
export const isUnchanged = (a: Signature, b: Signature): boolean => signatureText(a) === signatureText(b);

/** Nothing has written to it; it may have been renamed or linked. */
export const isSameContent = (a: Signature, b: Signature): boolean =>
  a.inode === b.inode && a.sizeBytes === b.sizeBytes && a.modifiedNs === b.modifiedNs;
