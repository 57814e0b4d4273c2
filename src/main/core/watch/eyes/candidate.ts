import type { WatchWait } from '../../../../shared/wire/watch.ts';
import { beginQuiet, nextQuiet, type Quiet } from './quiet.ts';
import { nextStable, type Stable } from './stable.ts';
import type { Signature } from './eyes.ts';

/** A file at the gate. Times are monotonic, in milliseconds. */
export interface Candidate {
  readonly rootId: string;
  readonly path: string;
  /** Null before the first look. */
  quiet: Quiet | null;
  stable: Stable | null;
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
export function noteLook(
  candidate: Candidate,
  signature: Signature,
  now: number,
): { readonly quiet: Quiet; readonly stable: Stable } {
  const quiet = candidate.quiet ? nextQuiet(candidate.quiet, signature, now) : beginQuiet(signature, now);
  const stable = nextStable(candidate.stable, signature, now);
  candidate.quiet = quiet;
  candidate.stable = stable;
  return { quiet, stable };
}
