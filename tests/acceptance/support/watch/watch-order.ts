import type { SourceDisposal } from '../../../../src/shared/schemas/watch.ts';
import type { CrashPoint } from '../queue/queue-order.ts';

/** At which point of what is known of a file the process kills itself: as it is written, or right after it was told. */
export type WatchCrash =
  | ({ readonly on: 'job' } & CrashPoint)
  | { readonly on: 'verdict'; readonly verdict: 'waiting' | 'job'; readonly moment: 'before' | 'after' }
  | { readonly on: 'ledger'; readonly moment: 'before' }
  | { readonly on: 'source-end'; readonly moment: 'before' | 'after' };

/** What a watch process is started with, as its one argument. */
export interface WatchOrder {
  readonly root: string;
  readonly dataFolder: string;
  readonly outputFolder: string;
  /** A connection's document, and its token. */
  readonly file: string;
  readonly token: string;
  readonly afterwards: SourceDisposal;
  readonly crash: WatchCrash | null;
  /** Tells `ended`, and goes, when so many recordings are done and rest. */
  readonly recordings: number;
  /** Adds to the wall clock of the watch when its parent says so. */
  readonly jumpMs?: number;
}

/** What a window would show. */
export interface WatchShown {
  readonly jobs: number;
  readonly files: number;
  readonly problems: readonly string[];
}

/** What it is asked by whoever started it: `jump` sets its clock, `show` is answered with what it shows; its database refuses or takes writes. */
export type WatchAsk = 'jump' | 'show' | 'refuse writes' | 'take writes';

/** What it says to whoever started it. */
export type WatchMessage =
  | { readonly type: 'watching' }
  | { readonly type: 'shown'; readonly shown: WatchShown }
  | { readonly type: 'ended' }
  | { readonly type: 'defect'; readonly message: string };
