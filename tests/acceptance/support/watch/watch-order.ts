import type { SourceDisposal } from '../../../../src/shared/schemas/watch.ts';
import type { CrashPoint } from '../queue/queue-order.ts';

/** When the process kills itself: before a record of a file is committed, or right after its event. */
export type WatchCrash =
  | ({ readonly on: 'job' } & CrashPoint)
  | { readonly on: 'verdict'; readonly verdict: 'waiting' | 'job'; readonly moment: 'before' | 'after' }
  | { readonly on: 'ledger'; readonly moment: 'before' }
  | { readonly on: 'source-end'; readonly moment: 'before' | 'after' };

/** The argument of a watch process, as JSON. */
export interface WatchOrder {
  readonly root: string;
  readonly dataFolder: string;
  readonly outputFolder: string;
  /** A connection's document, and its token. */
  readonly file: string;
  readonly token: string;
  readonly afterwards: SourceDisposal;
  /** Text files are spoken too. */
  readonly speaksTexts?: boolean;
  readonly crash: WatchCrash | null;
  /** Sends `ended` once this many files are done. */
  readonly recordings: number;
  /** Added to the wall clock of the watch on `jump`. */
  readonly jumpMs?: number;
}

/** What a window would show. */
export interface WatchShown {
  readonly jobs: number;
  readonly files: number;
  readonly problems: readonly string[];
}

/** Requests of its parent: `jump` sets its clock, `show` is answered with `shown`; the others make its database reject or accept writes. */
export type WatchAsk = 'jump' | 'show' | 'refuse writes' | 'take writes';

/** Messages to its parent. */
export type WatchMessage =
  | { readonly type: 'watching' }
  | { readonly type: 'shown'; readonly shown: WatchShown }
  | { readonly type: 'ended' }
  | { readonly type: 'defect'; readonly message: string };
