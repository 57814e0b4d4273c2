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
  readonly doubt: Doubt;
}

/**
 * Why it may be open for writing although nobody was seen to have it open. `unseen`: its writer may be one that cannot be seen. `hollow`:
 * and its last bytes look as if they were still to be written.
 */
export type Doubt = 'none' | 'unseen' | 'hollow';

export const baseQuietMs = 2000;
/** Uploads stall for some seconds all the time. */
const unseenQuietMs = 5000;
const mostQuietMs = 60_000;
/** A writer that paused for 5 s may pause for 5 s again, and for a little longer. */
const gapFactor = 3;

export const beginQuiet = (signature: Signature, now: number): Quiet => ({
  signature,
  changedAt: now,
  longestGapMs: 0,
  hasChanged: false,
  doubt: 'none',
});

/** After another look. A new name or another right is no sign of a writer. */
export function nextQuiet(quiet: Quiet, signature: Signature, now: number): Quiet {
  if (hasSameBytes(quiet.signature, signature)) return { ...quiet, signature };
  return {
    signature,
    changedAt: now,
    longestGapMs: Math.max(quiet.longestGapMs, now - quiet.changedAt),
    hasChanged: true,
    doubt: 'none',
  };
}

/** How long it must be quiet: 2 s, in doubt 5 s, and three times the longest pause of its writer; a minute at most, and where it is hollow. */
export function neededQuietMs({ longestGapMs, doubt }: Quiet): number {
  if (doubt === 'hollow') return mostQuietMs;
  return Math.min(Math.max(doubt === 'none' ? baseQuietMs : unseenQuietMs, gapFactor * longestGapMs), mostQuietMs);
}

export const isQuiet = (quiet: Quiet, now: number): boolean => now - quiet.changedAt >= neededQuietMs(quiet);

/**
 * Its bytes were written a while before it was first looked at, by the clock of this machine: whoever renamed it to here did so with a
 * whole file. Worth something only where the clock is steady, the disk is ours and nobody was seen to have it open.
 */
export function cameWritten(quiet: Quiet, now: number, wallNow: number): boolean {
  const firstLook = wallNow - (now - quiet.changedAt);
  return !quiet.hasChanged && firstLook - Number(BigInt(quiet.signature.modifiedNs) / 1_000_000n) >= baseQuietMs;
}
