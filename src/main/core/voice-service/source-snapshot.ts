import type { BigIntStats } from 'node:fs';

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
export function sameSnapshot(a: SourceSnapshot, b: SourceSnapshot): boolean {
  const identified = [a.device, a.inode, b.device, b.inode].every((id) => id !== '0' && id !== '');
  if (identified && (a.device !== b.device || a.inode !== b.inode)) return false;
  return a.sizeBytes === b.sizeBytes && a.modifiedNs === b.modifiedNs;
}
