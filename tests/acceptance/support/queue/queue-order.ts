import type { JobState } from '../../../../src/shared/schemas/job.ts';

/** When the process kills itself: right before or after the commit of a state. */
export interface CrashPoint {
  readonly state: JobState;
  readonly moment: 'before' | 'after';
}

/** The argument of a queue process, as JSON. */
export interface QueueOrder {
  readonly dataFolder: string;
  readonly outputFolder: string;
  /** A connection document; null for the local engine, which the process starts itself. */
  readonly remote: {
    readonly file: string;
    /** Null: from the environment, as for commands. */ readonly token: string | null;
  } | null;
  readonly sources: readonly string[];
  readonly texts: readonly string[];
  readonly crash: CrashPoint | null;
  /** Keeps running for jobs that other processes leave, until its parent disconnects. */
  readonly stays: boolean;
  /** Reports at the end how much memory was used, and whether progress was monotone. */
  readonly measures?: boolean;
}

export interface QueueFigures {
  /** Resident memory when the data folder was open, and the most since. */
  readonly startBytes: number;
  readonly peakBytes: number;
  readonly progressNews: number;
  readonly isMonotone: boolean;
}

/** Messages to its parent. */
export type QueueMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'ended'; readonly jobs: number }
  | { readonly type: 'figures'; readonly figures: QueueFigures }
  | { readonly type: 'defect'; readonly message: string };
