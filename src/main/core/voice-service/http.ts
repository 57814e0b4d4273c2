import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { AppError } from '../../../shared/errors.ts';
import { isBaseAddress } from '../../../shared/schemas/connection.ts';
import { unlessAborted } from '../clock.ts';
import type { Address } from './address.ts';
import { type AgentOptions, createAgents, trustedCertificates } from './agents.ts';
import { networkError } from './network-error.ts';

/** The longest delay of `setTimeout`, 24 days. A longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** Timeouts and abort signal of one call. The call must `end` them. */
export interface CallLimits {
  /** Aborted with the caller's reason, or with `network/timeout`. */
  readonly signal: AbortSignal;
  /** Aborts the call after `ms` unless the returned function is called first. `phase` goes into the error message. */
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

/** Bytes that must arrive within the stall timeout, or a service that sends a byte a minute would block a job forever. */
const minBytes = 1024;

/** Forwards a request's body. Each chunk must be accepted within `stallMs`; calls `onSent` after the last one. */
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

const blankBytes: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));

/**
 * Forwards a reply's body. Only waiting for the service counts towards `stallMs`, not the consumer's time. While they work, some
 * services send blanks, so that nothing between takes the connection for idle: these count as an answer for `blankMs`.
 */
export async function* watchReceiving(
  body: AsyncIterable<Buffer>,
  limits: CallLimits,
  stallMs: number,
  blankMs: number,
): AsyncGenerator<Buffer> {
  const startedAt = performance.now();
  let receivedBytes = 0;
  let waitedMs = 0;
  let began = performance.now();
  let arrived = limits.within(stallMs, 'sending its reply');
  try {
    for await (const chunk of body) {
      arrived();
      receivedBytes += chunk.length;
      waitedMs += performance.now() - began;
      const isAtWork = performance.now() - startedAt < blankMs && chunk.every((byte) => blankBytes.has(byte));
      if (receivedBytes >= minBytes || isAtWork) receivedBytes = waitedMs = 0;
      yield chunk;
      began = performance.now();
      arrived = limits.within(Math.max(0, stallMs - waitedMs), 'sending its reply');
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
  /** Maximum time to connect; through a proxy, for each of proxy, tunnel and TLS. */
  readonly connectTimeoutMs: number;
  /** Maximum time between the last byte of the request and the reply's headers. */
  readonly replyTimeoutMs: number;
  /** Maximum time for one chunk of the request, and for each kilobyte of the reply. */
  readonly stallTimeoutMs: number;
  /**
   * Maximum time from the last byte of the request to the last byte of the reply; without a streamed body, it includes
   * the time to connect. Omitted for results, which may take hours; the stall timeout covers them.
   */
  readonly totalTimeoutMs?: number;
  /**
   * Uses a new connection. For paid calls: if the service closed an idle connection at that moment, it would be unknown
   * whether the call arrived.
   */
  readonly fresh?: boolean;
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  /** That was requested, with its query. */
  readonly path: string;
  /** Time at which the headers arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** `''` if absent. Neither `content-encoding` nor `content-length` of a body that `chunks` decompresses. */
  header(name: string): string;
  /** As they arrived, by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrives, decompressed. Throws network errors as `AppError`. */
  chunks(): AsyncIterable<Buffer>;
  /** Discards the rest and releases the connection. */
  discard(): void;
}

export interface Http {
  /** Throws `AppError`, or the signal's reason on abort, which closes the socket. */
  send(request: HttpRequest): Promise<HttpReply>;
  close(): Promise<void>;
}

/** A call that got no reply, without its path, headers and body, which may contain secrets. */
export interface NetworkFailure {
  readonly method: HttpRequest['method'];
  readonly origin: string;
  readonly error: AppError;
}

interface Options extends Partial<Omit<AgentOptions, 'proxy'>> {
  /** The `setting` of `proxyRoute`, `''` by default; a function is called for each request. */
  readonly proxy?: string | (() => string);
  /** False if calls to this origin are refused, before a socket is opened. All are allowed by default. */
  isAllowed?(origin: string): boolean;
  onFailure?(failure: NetworkFailure): void;
}

/** The headers sent, apart from those of the connection (`host`, `connection`, `content-length`). */
export const headersOf = ({ headers }: HttpRequest): Readonly<Record<string, string>> => ({
  'accept-encoding': 'identity',
  // Firewalls in front of services refuse requests without one.
  'user-agent': 'Timbre',
  ...headers,
});

const first = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? '';

interface Compression {
  /** Of everything so compressed. */
  readonly firstByte?: number;
  create(): Transform;
}

/** Compressions that services and what is between use although none is asked for: what they answer may be paid for. */
const compressions: ReadonlyMap<string, Compression> = new Map([
  ['gzip', { firstByte: 0x1f, create: createGunzip }],
  ['x-gzip', { firstByte: 0x1f, create: createGunzip }],
  ['deflate', { firstByte: 0x78, create: createInflate }],
  ['br', { create: createBrotliDecompress }],
  ['zstd', { firstByte: 0x28, create: createZstdDecompress }],
]);
const headersOfCompression: ReadonlySet<string> = new Set(['content-encoding', 'content-length']);

/** Unpacks no faster than the chunks are taken, and nothing more once the consumer stops. */
async function* decompress(body: AsyncGenerator<Buffer>, { firstByte, create }: Compression): AsyncGenerator<Buffer> {
  const head = await body.next();
  if (head.done) return;
  const whole = (async function* () {
    yield head.value;
    yield* body;
  })();
  // A proxy that has unpacked a reply may leave the header.
  const isPlain = firstByte !== undefined && head.value[0] !== firstByte;
  // The callback is only there because an error would be thrown without one; the consumer gets it from the stream.
  yield* isPlain ? whole : pipeline(Readable.from(whole, { objectMode: false }), create(), () => undefined);
}

/** An HTTP client: one keep-alive pool per origin; follows no redirects; only the request's timeouts apply. */
export function createHttp({
  proxy = '',
  environment = process.env,
  certificates = trustedCertificates,
  isAllowed = () => true,
  onFailure,
}: Options = {}): Http {
  const agents = createAgents({
    proxy: typeof proxy === 'string' ? () => proxy : proxy,
    environment,
    certificates,
  });

  /** The last check before the network. Throws `network/insecure` or `network/offline-mode`. */
  function assertMayCall(origin: string): void {
    if (!isBaseAddress(origin)) throw new AppError('network/insecure', `not a safe origin: ${origin}`);
    if (isAllowed(origin)) return;
    throw new AppError('network/offline-mode', `not called in offline mode: ${origin}`, {
      facts: { host: new URL(origin).host },
    });
  }

  function bodyOf({ body, stallTimeoutMs, totalTimeoutMs }: HttpRequest, limits: CallLimits) {
    const sent = () => {
      if (totalTimeoutMs !== undefined) limits.within(totalTimeoutMs, 'answering');
    };
    if (typeof body === 'object') {
      // undici destroys a stream when the call fails, but never closes an iterable.
      return Readable.from(watchSending(body, limits, stallTimeoutMs, sent), { objectMode: false });
    }
    sent();
    return body ?? null;
  }

  function failureOf(error: unknown, { method, address: { origin } }: HttpRequest, signal: AbortSignal): unknown {
    const failure = networkError(error, origin, signal);
    if (failure instanceof AppError && failure.code.startsWith('network/')) {
      onFailure?.({ method, origin, error: failure });
    }
    return failure;
  }

  async function send(request: HttpRequest): Promise<HttpReply> {
    const { address, connectTimeoutMs, stallTimeoutMs, fresh = false } = request;
    const { origin } = address;
    request.signal.throwIfAborted();
    assertMayCall(origin);
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
      // undici reports an abort only once it has a socket.
      reply = await unlessAborted(answering, signal);
    } catch (error) {
      end();
      throw failureOf(error, request, signal);
    }
    const { body } = reply;
    body.once('close', end);
    const compression = compressions.get(first(reply.headers['content-encoding']).trim().toLowerCase());
    return {
      status: reply.statusCode,
      path: address.path,
      receivedAtMs: Date.now(),
      header: (name) => (compression && headersOfCompression.has(name) ? '' : first(reply.headers[name])),
      headers: reply.headers,
      async *chunks() {
        const received = watchReceiving(body, limits, stallTimeoutMs, request.replyTimeoutMs);
        try {
          yield* compression ? decompress(received, compression) : received;
        } catch (error) {
          throw failureOf(error, request, signal);
        }
      },
      discard: () => void body.on('error', () => undefined).destroy(),
    };
  }

  return { send, close: agents.close };
}
