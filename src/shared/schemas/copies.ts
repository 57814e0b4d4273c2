import type { Problem } from '../errors.ts';

/** The copies of results that Timbre keeps. */
export interface CopyStatus {
  readonly folder: string;
  readonly copies: number;
  readonly bytes: number;
  /** Results that are about to be copied. */
  readonly waiting: number;
  /** Why the last result was not copied; null once one was. */
  readonly problem: Problem | null;
}
