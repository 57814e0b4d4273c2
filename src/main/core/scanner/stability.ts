import type { WatchWait } from '../../../shared/schemas/watch.ts';
import { isSameContent, isUnchanged, type Signature } from '../files/identity.ts';

/** How a file's writer behaves, from one check to the next. Times are monotonic, in milliseconds. */
export interface QuietPeriod {
  readonly signature: Signature;
  /** Time of the last change, or of the first check. */
  readonly changedAt: number;
  /** When a program was last found to have it open; -Infinity if none was. */
  readonly openAt: number;
  /** Between two observed changes. */
  readonly longestGapMs: number;
  /** It changed while it was at the gate. */
  readonly hasChanged: boolean;
  readonly writerUnknown: WriterUnknown;
}

/**
 * Why the file may be open for writing although no writer was found. `unseen`: the writer may be another user's process.
 * `unfinished`: in addition, its end looks as if it were not written yet.
 */
export type WriterUnknown = 'none' | 'unseen' | 'unfinished';

const baseQuietMs = 2000;
/** Uploads often stall for some seconds. */
const unseenQuietMs = 5000;
const maxQuietMs = 60_000;
/** A writer that paused for 5 s may pause for 5 s again, or a little longer. */
const gapFactor = 3;

export const startQuiet = (signature: Signature, now: number): QuietPeriod => ({
  signature,
  changedAt: now,
  openAt: -Infinity,
  longestGapMs: 0,
  hasChanged: false,
  writerUnknown: 'none',
});

/** Updates the quiet period after a check. A new name or new permissions are no sign of a writer. */
export function nextQuiet(quiet: QuietPeriod, signature: Signature, now: number): QuietPeriod {
  if (isSameContent(quiet.signature, signature)) return { ...quiet, signature };
  return {
    signature,
    changedAt: now,
    openAt: quiet.openAt,
    // A pause during which a program had the file open says nothing about the time after it is closed.
    longestGapMs: Math.max(quiet.longestGapMs, now - Math.max(quiet.changedAt, quiet.openAt)),
    hasChanged: true,
    writerUnknown: 'none',
  };
}

/**
 * How long the file must be quiet: 2 s, or 5 s if its writer may be unseen, or three times the writer's
 * longest pause; at most a minute, and always a minute if it looks unfinished.
 */
export function neededQuietMs({ longestGapMs, writerUnknown }: QuietPeriod): number {
  if (writerUnknown === 'unfinished') return maxQuietMs;
  const minQuietMs = writerUnknown === 'none' ? baseQuietMs : unseenQuietMs;
  return Math.min(Math.max(minQuietMs, gapFactor * longestGapMs), maxQuietMs);
}

export const isQuiet = (quiet: QuietPeriod, now: number): boolean => now - quiet.changedAt >= neededQuietMs(quiet);

/**
 * True if the file was last written well before the first check, by the wall clock: then a complete file was renamed to here. Valid only
 * if the clock is steady, the disk has its own events and no writer was found.
 */
export function wasFinishedBeforeArrival(quiet: QuietPeriod, now: number, wallNow: number): boolean {
  const firstCheckAt = wallNow - (now - quiet.changedAt);
  return !quiet.hasChanged && firstCheckAt - Number(BigInt(quiet.signature.modifiedNs) / 1_000_000n) >= baseQuietMs;
}

/** Consecutive equal checks of a file. Times are monotonic, in milliseconds. */
export interface StableSamples {
  readonly signature: Signature;
  /** Number of checks that were far enough apart and had the same result. */
  readonly samples: number;
  readonly sampledAt: number;
}

/** Two checks closer together may both fall between two writes of one program. */
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
  /** Null before the first check. */
  quiet: QuietPeriod | null;
  stable: StableSamples | null;
  /** Time of the next check. */
  dueAt: number;
  /** True while the reader has it; it is not checked meanwhile. */
  isReading: boolean;
  /** What an event or a scan found since the last check began; null if nothing. */
  found: Signature | null;
  /** A program was found to have it open: once that closes it, no other writer is expected. */
  hadWriter: boolean;
  /** Consecutive read errors. */
  failures: number;
  reportedKind: WatchWait['kind'] | null;
  reportedAt: number;
}

export const candidateKey = (rootId: string, path: string): string => `${rootId}\0${path}`;

export const newCandidate = (rootId: string, path: string, now: number): Candidate => ({
  rootId,
  path,
  quiet: null,
  stable: null,
  dueAt: now,
  isReading: false,
  found: null,
  hadWriter: false,
  failures: 0,
  reportedKind: null,
  reportedAt: -Infinity,
});

/** Updates a candidate with the result of a check. */
export function recordSample(
  candidate: Candidate,
  signature: Signature,
  now: number,
): { readonly quiet: QuietPeriod; readonly stable: StableSamples } {
  const quiet = candidate.quiet ? nextQuiet(candidate.quiet, signature, now) : startQuiet(signature, now);
  const stable = nextSample(candidate.stable, signature, now);
  candidate.quiet = quiet;
  candidate.stable = stable;
  return { quiet, stable };
}

/** Quiet periods of files that left the gate: one that is rejected half-written comes back with its next part. */
export interface WriteGaps {
  save(key: string, quiet: QuietPeriod): void;
  /** Removes and returns a quiet period; null if its last change is too long ago to be part of the same writing. */
  take(key: string, now: number): QuietPeriod | null;
}

const maxSaved = 2000;
const sameWritingMs = 60_000;

/** Remembers the last 2,000 files. */
export function createWriteGaps(): WriteGaps {
  const saved = new Map<string, QuietPeriod>();
  return {
    save(key, quiet) {
      saved.delete(key);
      saved.set(key, quiet);
      const [oldest] = saved.keys();
      if (saved.size > maxSaved && oldest !== undefined) saved.delete(oldest);
    },
    take(key, now) {
      const quiet = saved.get(key);
      saved.delete(key);
      return quiet && now - quiet.changedAt <= sameWritingMs ? quiet : null;
    },
  };
}

/** A root, as far as the gate needs it. */
export interface GateRoot {
  readonly id: string;
  readonly path: string;
  /** Only this machine writes to its disk, and the system reports every change. */
  readonly hasOwnEvents: () => boolean;
  /** Other machines may write to its disk. */
  readonly isNetworkDrive: () => boolean;
  /** False while the folder is offline or another process watches it: no file is checked. */
  readonly isWatched: () => boolean;
  /** The watched folder is still at its path, and still watched by this process alone. */
  readonly isPresent: () => Promise<boolean>;
  /** Nothing is at that path any more; if the root confirms it, it removes the file from the gate. */
  readonly onMissing: (path: string) => void;
  /** The file left the gate with this signature; any other signature is a change. */
  readonly onLeft: (path: string, signature: Signature) => void;
}
