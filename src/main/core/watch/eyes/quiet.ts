import { hasSameBytes } from './signature.ts';
import type { Signature } from './eyes.ts';

/** How a file's writer behaves, from one look to the next. Times are monotonic, in milliseconds. */
export interface Quiet {
  readonly signature: Signature;
  /** Of the last change, or of the first look. */
  readonly changedAt: number;
  /** Between two changes that were seen. */
  readonly longestGapMs: number;
  /** It changed while it was being looked at. */
  readonly hasChanged: boolean;
}

export const baseQuietMs = 2000;
const mostQuietMs = 60_000;
/** A writer that paused for 5 s may pause for 5 s again, and for a little longer. */
const gapFactor = 3;

export const beginQuiet = (signature: Signature, now: number): Quiet => ({
  signature,
  changedAt: now,
  longestGapMs: 0,
  hasChanged: false,
});

/** After another look. A new name or another right is no sign of a writer. */
export function nextQuiet(quiet: Quiet, signature: Signature, now: number): Quiet {
  if (hasSameBytes(quiet.signature, signature)) return { ...quiet, signature };
  return {
    signature,
    changedAt: now,
    longestGapMs: Math.max(quiet.longestGapMs, now - quiet.changedAt),
    hasChanged: true,
  };
}

/** How long it must be quiet: 2 s, and three times the longest pause of its writer, but a minute at most. */
export const neededQuietMs = ({ longestGapMs }: Quiet): number =>
  Math.min(Math.max(baseQuietMs, gapFactor * longestGapMs), mostQuietMs);

export const isQuiet = (quiet: Quiet, now: number): boolean => now - quiet.changedAt >= neededQuietMs(quiet);

/**
 * Its bytes were written a while ago, by the clock of this machine: whoever renamed it to here did so with a whole file. Worth
 * something only where the clock is steady, the disk is ours and no program has it open.
 */
export function isLongWritten(quiet: Quiet, wallNow: number): boolean {
  const ageMs = wallNow - Number(BigInt(quiet.signature.modifiedNs) / 1_000_000n);
  return !quiet.hasChanged && ageMs >= baseQuietMs;
}
