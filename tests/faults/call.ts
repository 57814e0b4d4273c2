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

/** One call as the proxy sees it. A live value: its fields are filled while the call runs. */
export interface Call {
  /** 1 for the first; in the order in which request headers arrived. */
  readonly order: number;
  readonly operation: Operation;
  readonly method: string;
  /** The target of the request line. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON body of create, convert and speak; otherwise null. */
  readonly body: unknown;
  /** From path or body; for create and speak from the service's reply, so null until then. */
  readonly task: string | null;
  /** The text of speak. */
  readonly text: string | null;
  /** Bytes of the request's body. */
  readonly receivedBytes: number;
  /** Bytes of the reply's body. */
  readonly sentBytes: number;
  /** Whether the service was connected for it. */
  readonly reachedService: boolean;
  /** The service's status; null before its reply or without one. */
  readonly serviceStatus: number | null;
  /** The client's status; null if it received no status line. */
  readonly status: number | null;
  /** The fault that decided the call; waits (`latency`, `hold`) decide nothing. */
  readonly fault: Fault['kind'] | null;
  readonly outcome: Outcome;
  /** What broke it when no fault did: the service is not there, or the proxy has a defect. */
  readonly error: unknown;
  /** On the clock of `performance.now()`. */
  readonly startedMs: number;
  readonly endedMs: number | null;
}
