import type { JobState } from '../../../../src/shared/schemas/job.ts';

/** At which moment of which state the process kills itself: right before it is committed, or right after. */
export interface CrashPoint {
  readonly state: JobState;
  readonly moment: 'before' | 'after';
}

/** What a queue process is started with, as its one argument. */
export interface QueueOrder {
  readonly dataFolder: string;
  readonly outputFolder: string;
  /** A connection's document, as the command line takes it; null is the engine of this computer, which the process starts itself. */
  readonly remote: {
    readonly file: string;
    /** Null: as the command line, from the environment. */ readonly token: string | null;
  } | null;
  readonly sources: readonly string[];
  readonly texts: readonly string[];
  readonly crash: CrashPoint | null;
  /** Goes on when all is done, for what other processes leave, until its parent lets go. */
  readonly stays: boolean;
  /** Tells in the end how much memory the work took, and whether progress only ever grew. */
  readonly measures?: boolean;
}

export interface QueueFigures {
  /** Resident memory when the data folder was open, and the most since. */
  readonly startBytes: number;
  readonly peakBytes: number;
  readonly progressNews: number;
  readonly isMonotone: boolean;
}

/** What it says to whoever started it. */
export type QueueMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'ended'; readonly jobs: number }
  | { readonly type: 'figures'; readonly figures: QueueFigures }
  | { readonly type: 'defect'; readonly message: string };
