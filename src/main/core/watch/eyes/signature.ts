import type { BigIntStats } from 'node:fs';
import { snapshotOf } from '../../voice-service/source-snapshot.ts';
import type { Signature } from './eyes.ts';

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
export const isSameSignature = (a: Signature, b: Signature): boolean => signatureText(a) === signatureText(b);

/** Nothing has written to it; it may have been renamed or linked. */
export const hasSameBytes = (a: Signature, b: Signature): boolean =>
  a.inode === b.inode && a.sizeBytes === b.sizeBytes && a.modifiedNs === b.modifiedNs;
