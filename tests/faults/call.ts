import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '../../src/shared/operations.ts';
import type { Fault } from './fault.ts';

/** An operation of the interface, or the download of a result. `other` is anything else, also a connection that was dropped unread. */
export type Operation = OperationId | 'download' | 'other';

/**
 * `open` while it lasts; `answered` once the whole reply was handed to the client's connection; `broken` when a fault or the service's
 * end broke it; `left` when the client went first.
 */
export type Outcome = 'open' | 'answered' | 'broken' | 'left';

/** One call as the proxy saw it. The value lives: its fields fill while the call goes on. */
export interface Call {
  /** 1 for the first; in the order in which request headers arrived. */
  readonly order: number;
  readonly operation: Operation;
  readonly method: string;
  /** The target as it stood in the request line. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON that create, convert and speak sent; null for the others, and where it was none. */
  readonly body: unknown;
  /** From path or body; for create and speak from the service's reply, so null until then. */
  readonly task: string | null;
  /** What speak was asked to say. */
  readonly text: string | null;
  /** Bytes of the request's body. */
  readonly receivedBytes: number;
  /** Bytes of the reply's body. */
  readonly sentBytes: number;
  /** Whether any byte of it went to the service. */
  readonly reachedService: boolean;
  /** What the service answered; null until then, and where it was not asked. */
  readonly serviceStatus: number | null;
  /** What the client was answered; null where it got no status line. */
  readonly status: number | null;
  /** The fault that decided it; waiting alone (`latency`, `hold`) decides nothing. */
  readonly fault: Fault['kind'] | null;
  readonly outcome: Outcome;
  /** What broke it when no fault did: the service is not there, or the proxy has a defect. */
  readonly error: unknown;
  /** On the clock of `performance.now()`. */
  readonly startedMs: number;
  readonly endedMs: number | null;
}
