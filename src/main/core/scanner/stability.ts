import type { WatchWait } from '../../../shared/schemas/watch.ts';
import { isSameContent, isUnchanged, type Signature } from '../files/identity.ts';

/** How a file's writer behaves, from one look to the next. Times are monotonic, in milliseconds. */
export interface QuietPeriod {
  readonly signature: Signature;
  /** Of the last change, or of the first look. */
  readonly changedAt: number;
  /** When a program was last seen to have it open; -Infinity where none was. */
  readonly openAt: number;
  /** Between two changes that were seen. */
  readonly longestGapMs: number;
  /** It changed while it was being looked at. */
  readonly hasChanged: boolean;
  readonly doubt: WriterUnknown;
}

/**
 * Why it may be open for writing although nobody was seen to have it open. `unseen`: its writer may be one that cannot be seen. `hollow`:
 * and its last bytes look as if they were still to be written.
 */
export type WriterUnknown = 'none' | 'unseen' | 'hollow';

export const baseQuietMs = 2000;
/** Uploads stall for some seconds all the time. */
const unseenQuietMs = 5000;
const mostQuietMs = 60_000;
/** A writer that paused for 5 s may pause for 5 s again, and for a little longer. */
const gapFactor = 3;

export const beginQuiet = (signature: Signature, now: number): QuietPeriod => ({
  signature,
  changedAt: now,
  openAt: -Infinity,
  longestGapMs: 0,
  hasChanged: false,
  doubt: 'none',
});

/** After another look. A new name or another right is no sign of a writer. */
export function nextQuiet(quiet: QuietPeriod, signature: Signature, now: number): QuietPeriod {
  if (isSameContent(quiet.signature, signature)) return { ...quiet, signature };
  return {
    signature,
    changedAt: now,
    openAt: quiet.openAt,
    // A pause during which a program had it open says nothing about the time after it is closed.
    longestGapMs: Math.max(quiet.longestGapMs, now - Math.max(quiet.changedAt, quiet.openAt)),
    hasChanged: true,
    doubt: 'none',
  };
}

/** How long it must be quiet: 2 s, in doubt 5 s, and three times the longest pause of its writer; a minute at most, and where it is hollow. */
export function neededQuietMs({ longestGapMs, doubt }: QuietPeriod): number {
  if (doubt === 'hollow') return mostQuietMs;
  return Math.min(Math.max(doubt === 'none' ? baseQuietMs : unseenQuietMs, gapFactor * longestGapMs), mostQuietMs);
}

export const isQuiet = (quiet: QuietPeriod, now: number): boolean => now - quiet.changedAt >= neededQuietMs(quiet);

/**
 * Its bytes were written a while before it was first looked at, by the clock of this machine: whoever renamed it to here did so with a
 * whole file. Worth something only where the clock is steady, the disk is ours and nobody was seen to have it open.
 */
export function wasFinishedBeforeArrival(quiet: QuietPeriod, now: number, wallNow: number): boolean {
  const firstLook = wallNow - (now - quiet.changedAt);
  return !quiet.hasChanged && firstLook - Number(BigInt(quiet.signature.modifiedNs) / 1_000_000n) >= baseQuietMs;
}

/** What the last looks at a file had in common. Times are monotonic, in milliseconds. */
export interface StableSamples {
  readonly signature: Signature;
  /** Looks that count: far enough apart, with the same result. */
  readonly samples: number;
  readonly sampledAt: number;
}

/** Closer together, two looks may fall between two writes of one program. */
export const sampleGapMs = 100;
const neededSamples = 2;

export function nextSample(stable: StableSamples | null, signature: Signature, now: number): StableSamples {
  if (!stable || !isUnchanged(stable.signature, signature)) return { signature, samples: 1, sampledAt: now };
  if (now - stable.sampledAt < sampleGapMs) return stable;
  return { signature, samples: stable.samples + 1, sampledAt: now };
}

export const isStable = ({ samples }: StableSamples): boolean => samples >= neededSamples;

/** A file at the gate. Times are monotonic, in milliseconds. */
export interface Candidate {
  readonly rootId: string;
  readonly path: string;
  /** Null before the first look. */
  quiet: QuietPeriod | null;
  stable: StableSamples | null;
  /** No look at it before. */
  dueAt: number;
  /** Handed over to be read; it is not looked at meanwhile. */
  isReading: boolean;
  /** A program was seen to have it open: once it is closed, nobody else is to be expected. */
  hadWriter: boolean;
  /** Errors of the disk, one after the other. */
  failures: number;
  toldKind: WatchWait['kind'] | null;
  toldAt: number;
}

export const candidateKey = (rootId: string, path: string): string => `${rootId}\0${path}`;

export const newCandidate = (rootId: string, path: string, now: number): Candidate => ({
  rootId,
  path,
  quiet: null,
  stable: null,
  dueAt: now,
  isReading: false,
  hadWriter: false,
  failures: 0,
  toldKind: null,
  toldAt: -Infinity,
});

/** Takes down what a look found. */
export function recordSample(
  candidate: Candidate,
  signature: Signature,
  now: number,
): { readonly quiet: QuietPeriod; readonly stable: StableSamples } {
  const quiet = candidate.quiet ? nextQuiet(candidate.quiet, signature, now) : beginQuiet(signature, now);
  const stable = nextSample(candidate.stable, signature, now);
  candidate.quiet = quiet;
  candidate.stable = stable;
  return { quiet, stable };
}

/** How the writers of files behaved that have left the gate: one that is refused half-written comes back with its next piece. */
export interface WriteGaps {
  keep(key: string, quiet: QuietPeriod): void;
  /** And forgets it. Null where the last change is so long ago that another one is no part of the same writing. */
  take(key: string, now: number): QuietPeriod | null;
}

const mostKept = 2000;
const sameWritingMs = 60_000;

/** Remembers the last 2,000. */
export function createWriteGaps(): WriteGaps {
  const kept = new Map<string, QuietPeriod>();
  return {
    keep(key, quiet) {
      kept.delete(key);
      kept.set(key, quiet);
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    },
    take(key, now) {
      const quiet = kept.get(key);
      kept.delete(key);
      return quiet && now - quiet.changedAt <= sameWritingMs ? quiet : null;
    },
  };
}

/** What the gate has to know of a root. */
export interface GateRoot {
  readonly id: string;
  readonly path: string;
  /** Only this machine writes to its disk, and the system tells of it. */
  readonly isOurs: () => boolean;
  /** Other machines write to its disk. */
  readonly isShared: () => boolean;
  /** It is still the folder that is watched. */
  readonly isThere: () => Promise<boolean>;
  /** Nothing is at that path any more; if the root agrees, it drops the file. */
  readonly onMissing: (path: string) => void;
  /** The file has left the gate in this shape; any other one is news. */
  readonly onSettled: (path: string, signature: Signature) => void;
}
