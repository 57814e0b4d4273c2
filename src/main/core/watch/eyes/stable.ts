import { isSameSignature } from './signature.ts';
import type { Signature } from './eyes.ts';

/** What the last looks at a file had in common. Times are monotonic, in milliseconds. */
export interface Stable {
  readonly signature: Signature;
  /** Looks that count: far enough apart, with the same result. */
  readonly samples: number;
  readonly sampledAt: number;
}

/** Closer together, two looks may fall between two writes of one program. */
export const sampleGapMs = 100;
const neededSamples = 2;

export function nextStable(stable: Stable | null, signature: Signature, now: number): Stable {
  if (!stable || !isSameSignature(stable.signature, signature)) return { signature, samples: 1, sampledAt: now };
  if (now - stable.sampledAt < sampleGapMs) return stable;
  return { signature, samples: stable.samples + 1, sampledAt: now };
}

export const isStable = ({ samples }: Stable): boolean => samples >= neededSamples;
