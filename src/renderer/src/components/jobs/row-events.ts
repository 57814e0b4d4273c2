import type { JobAction } from './job-view.ts';

/** What a person can want of one row. */
export interface RowEvents {
  readonly listen: () => void;
  readonly reveal: () => void;
  /** A new job like this one. */
  readonly again: () => void;
  /** Before all others that wait. */
  readonly next: () => void;
  /** Cancels what runs or waits, takes what is over off the list. */
  readonly remove: () => void;
  readonly action: (action: JobAction) => void;
}
