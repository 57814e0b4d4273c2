import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { AppError } from '../../../shared/errors.ts';
import { isBaseAddress } from '../../../shared/schemas/connection.ts';
import { unlessAborted } from '../clock.ts';
import type { Address } from './address.ts';
import { type AgentOptions, createAgents, trustedCertificates } from './agents.ts';
import { networkError } from './network-error.ts';

/** What a timer can hold: 24 days. A longer wait would end at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** What one call has to keep to. Owned by that call, which must end it. */
export interface CallLimits {
  /** Aborted with the caller's reason, or with `network/timeout`. */
  readonly signal: AbortSignal;
  /** Ends the call when `ms` have passed, unless what it returns is called before. `phase` is for the log. */
  within(ms: number, phase: string): () => void;
  end(): void;
}

export function createCallLimits(caller: AbortSignal, host: string): CallLimits {
  const controller = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const giveUp = () => controller.abort(caller.reason);
  caller.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    within(ms, phase) {
      const expire = () =>
        controller.abort(new AppError('network/timeout', `${host}: too slow ${phase}`, { facts: { host } }));
      const timer = setTimeout(expire, Math.min(ms, longestTimerMs));
      timers.add(timer);
      return () => {
        clearTimeout(timer);
        timers.delete(timer);
      };
    },
    end() {
      caller.removeEventListener('abort', giveUp);
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** So much must come within the stall timeout: a service that drips a byte a minute would otherwise hold a job for ever. */
const leastBytes = 1024;

/** Passes a request's body on. Each chunk must be taken within `stallMs`; `onSent` tells that the last one was. */
export async function* watchSending(
  body: AsyncIterable<Buffer>,
  limits: CallLimits,
  stallMs: number,
  onSent: () => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    const taken = limits.within(stallMs, 'taking what is sent');
    try {
      yield chunk;
    } finally {
      taken();
    }
    limits.signal.throwIfAborted();
  }
  onSent();
}

/** Passes a reply's body on. Only waiting for the service counts: whoever reads may take any time over a chunk. */
export async function* watchReceiving(
  body: AsyncIterable<Buffer>,
  limits: CallLimits,
  stallMs: number,
): AsyncGenerator<Buffer> {
  let receivedBytes = 0;
  let waitedMs = 0;
  let began = performance.now();
  let arrived = limits.within(stallMs, 'sending its reply');
  try {
    for await (const chunk of body) {
      arrived();
      receivedBytes += chunk.length;
      waitedMs += performance.now() - began;
      if (receivedBytes >= leastBytes) receivedBytes = waitedMs = 0;
      yield chunk;
      began = performance.now();
      arrived = limits.within(stallMs - waitedMs, 'sending its reply');
    }
  } finally {
    arrived();
  }
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly address: Address;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Buffer>;
  /** Longest time to make a connection; through a proxy, for each of its three parts: proxy, tunnel, TLS. */
  readonly connectTimeoutMs: number;
  /** Longest silence between the last byte of the request and the reply's headers. */
  readonly replyTimeoutMs: number;
  /** Longest time for one chunk of the request, and for each kilobyte of the reply. */
  readonly stallTimeoutMs: number;
  /**
   * Longest time from the last byte of the request to the last byte of the reply, and for requests without a streamed body the
   * time to connect too. Left out for results: an honest one may take hours, and one that drips is caught as a stall.
   */
  readonly totalTimeoutMs?: number;
  /**
   * A connection of its own. For calls that are paid: an idle connection that the service closes at that very moment would leave
   * unknown whether the call arrived.
   */
  readonly fresh?: boolean;
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  /** When its headers were read, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  header(name: string): string;
  /** All of them, by their names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrives. Errors of the network come out of it as `AppError`. */
  chunks(): AsyncIterable<Buffer>;
  /** Throws the rest away and gives the connection free. */
  discard(): void;
}

export interface Http {
  /** Throws `AppError`, or the signal's reason as soon as it is aborted; its socket is then closed. */
  send(request: HttpRequest): Promise<HttpReply>;
  close(): Promise<void>;
}

interface Options extends Partial<Omit<AgentOptions, 'proxy'>> {
  /** `''` (default) for the environment's, `direct` for none, else an address; a function is asked at each call. */
  readonly proxy?: string | (() => string);
  readonly now?: () => number;
}

/** What is sent beside what the connection itself needs (`host`, `connection`, `content-length`). */
export const headersOf = ({ headers }: HttpRequest): Readonly<Record<string, string>> => ({
  'accept-encoding': 'identity',
  ...headers,
});

const first = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? '';

/** The last door before the network, whoever made the address. */
function mustBeSafe(origin: string): void {
  if (!isBaseAddress(origin)) throw new AppError('network/insecure', `not a safe origin: ${origin}`);
}

/** The network: one keep-alive pool an origin, no followed redirects, no decoding, no timeout but those of the request. */
export function createHttp({
  proxy = '',
  now = Date.now,
  environment = process.env,
  certificates = trustedCertificates,
}: Options = {}): Http {
  const agents = createAgents({
    proxy: typeof proxy === 'string' ? () => proxy : proxy,
    environment,
    certificates,
  });

  function bodyOf({ body, stallTimeoutMs, totalTimeoutMs }: HttpRequest, limits: CallLimits) {
    const sent = () => {
      if (totalTimeoutMs !== undefined) limits.within(totalTimeoutMs, 'answering');
    };
    if (typeof body === 'object') {
      // A stream, because undici ends one when the call fails; an iterable it would leave where it stands.
      return Readable.from(watchSending(body, limits, stallTimeoutMs, sent), { objectMode: false });
    }
    sent();
    return body ?? null;
  }

  async function send(request: HttpRequest): Promise<HttpReply> {
    const { address, connectTimeoutMs, stallTimeoutMs, fresh = false } = request;
    const { origin } = address;
    request.signal.throwIfAborted();
    mustBeSafe(origin);
    const limits = createCallLimits(request.signal, new URL(origin).host);
    const { signal } = limits;
    let agent: Dispatcher | undefined;
    const end = () => {
      limits.end();
      if (fresh && agent) agents.retire(agent);
    };
    let reply: Dispatcher.ResponseData;
    try {
      agent = await (fresh ? agents.fresh(origin, connectTimeoutMs, signal) : agents.shared(origin, connectTimeoutMs));
      const answering = agent.request({
        origin,
        path: address.path,
        method: request.method,
        headers: headersOf(request),
        body: bodyOf(request, limits),
        headersTimeout: Math.min(request.replyTimeoutMs, longestTimerMs),
        bodyTimeout: 0,
        signal,
      });
      // undici tells of an abort only once it has a socket.
      reply = await unlessAborted(answering, signal);
    } catch (error) {
      end();
      throw networkError(error, origin, signal);
    }
    const { body } = reply;
    body.once('close', end);
    return {
      status: reply.statusCode,
      receivedAtMs: now(),
      header: (name) => first(reply.headers[name]),
      headers: reply.headers,
      async *chunks() {
        try {
          yield* watchReceiving(body, limits, stallTimeoutMs);
        } catch (error) {
          throw networkError(error, origin, signal);
        }
      },
      discard: () => void body.on('error', () => undefined).destroy(),
    };
  }

  return { send, close: agents.close };
}
