/** A connection ends with a reset (the client sees ECONNRESET), or as by default with its end (the other side closed). */
interface Ending {
  readonly reset?: boolean;
}

/** A reply in place of the service's. An object is sent as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readonly<Record<string, unknown>>;
}

/** A wait does not decide a call: matching continues with the next rule. */
export type Wait =
  | {
      readonly kind: 'latency';
      /** Before the request is forwarded, or before the reply is. */ readonly at?: Side;
      readonly ms: number;
    }
  /** Holds the call until the test releases it, to stop at a step without sleeping. */
  | { readonly kind: 'hold'; readonly at?: Side; readonly until: Promise<unknown> };

/** Default `request`. */
export type Side = 'request' | 'reply';

/** What happens to a call. Byte counts are of bodies. */
export type Fault =
  | Wait
  /**
   * The service receives nothing. `accept`: nothing is read, so the call is unknown and the rule cannot select one. `headers`: the
   * body is not read, except small JSON bodies, which identify the call. `body`: everything was read.
   */
  | ({ readonly kind: 'drop-before'; readonly at: 'accept' | 'headers' | 'body' } & Ending)
  /** The service answers completely, and the client receives nothing. */
  | ({ readonly kind: 'drop-after' } & Ending)
  /**
   * The given answer. The request is forwarded only with `reachService`, and its reply discarded. With `early` the answer is sent before
   * the body was read, and the connection closes.
   */
  | ({ readonly kind: 'answer'; readonly reachService?: boolean; readonly early?: boolean } & Answer)
  /**
   * The reply ends after `afterBytes`: with `length` the full length was announced and the connection breaks; with `chunked` it
   * seems complete.
   */
  | { readonly kind: 'truncate'; readonly afterBytes: number; readonly framing: 'length' | 'chunked' }
  /** The whole body under a Content-Length that is `by` too large (negative: too small); then the connection ends. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /** The service's reply with a web page for a body. Default content type `text/html`. */
  | { readonly kind: 'html'; readonly contentType?: string }
  /** The service's reply without a body: Content-Length 0. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'slow'; readonly bytesPerSecond: number; /** Default `reply`. */ readonly at?: Side }
  /**
   * Silence until the client leaves. `headers`: the service has answered, the client hears nothing. `body`: headers and so many bytes.
   * `request`: so many bytes of the request's body are taken, and no more.
   */
  | { readonly kind: 'stall'; readonly at: 'headers' }
  | { readonly kind: 'stall'; readonly at: 'body' | 'request'; readonly afterBytes: number }
  /** Both sides lose the connection within this region; in a body after so many bytes, default half of what was announced. */
  | ({ readonly kind: 'cut'; readonly in: 'request-line' | 'request-headers' | 'reply-headers' } & Ending)
  | ({ readonly kind: 'cut'; readonly in: 'request-body' | 'reply-body'; readonly afterBytes?: number } & Ending)
  | {
      readonly kind: 'redirect';
      readonly status: 301 | 302 | 303 | 307 | 308;
      /** Left out: no Location. */ readonly location?: string;
    }
  | { readonly kind: 'gone'; readonly status: 403 | 404 | 410 }
  /** Each address is passed on so many times, and is 410 from then on. */
  | { readonly kind: 'expire'; readonly after: number };

/** A fault that decides a call, once waiting and counting are done with. */
export type Decision = Exclude<Fault, Wait | { kind: 'redirect' | 'gone' | 'expire' }>;
