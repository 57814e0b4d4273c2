import type { Problem } from '../../../shared/problem.ts';
import type { Signature } from './eyes/eyes.ts';

/** What was decided about a file. `waiting` is at the gate, `budget` waits for another day. */
export type Verdict =
  | 'waiting'
  | 'budget'
  | 'job'
  | 'before'
  | 'same-sound'
  | 'other-settings'
  | 'own-output'
  | 'refused'
  | 'link'
  | 'placeholder';

/** What it means for a person: under way, theirs to look at, or over. */
export type Standing = 'open' | 'attention' | 'rest';

/** What becomes of the source once its result is there. `stays` could not be done, and the source is as it was. */
export type SourceEnd = 'pending' | 'moved' | 'trashed' | 'stays';

/** What is known of one file of a folder. */
export interface FileLine {
  readonly folderId: string;
  /** Relative to the folder, as this system writes paths. */
  readonly path: string;
  /** Newest is highest; each change of `verdict` or `standing` gives the line a higher one. */
  readonly order: number;
  readonly at: number;
  readonly isThere: boolean;
  readonly signature: Signature;
  readonly sha256: string | null;
  readonly durationSeconds: number | null;
  readonly verdict: Verdict;
  readonly standing: Standing;
  /** The path whose sound this is. */
  readonly sameAs: string | null;
  readonly problem: Problem | null;
  readonly jobId: string | null;
  /** How often its job failed in a row. */
  readonly failures: number;
  /** When its job is begun again; null where it is not. */
  readonly nextTryAt: number | null;
  /** A person wants it converted, whatever the ledger says. */
  readonly isForced: boolean;
  readonly sourceEnd: SourceEnd | null;
  readonly movedTo: string | null;
}
