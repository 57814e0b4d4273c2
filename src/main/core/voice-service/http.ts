import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import type { Address } from './address.ts';
import { networkError } from './network-error.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly address: Address;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
  /** Longest silence before the reply begins; while a body goes up, each chunk starts it anew. */
  readonly replyTimeoutMs: number;
  /** Longest silence inside the reply. */
  readonly stallTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /**
   * A connection of its own. For calls that are paid: an idle connection that the service closes at that very moment would leave
   * unknown whether the call arrived.
   */
  readonly fresh?: boolean;
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  header(name: string): string;
  /** The body as it arrives. Errors of the network come out of it as `AppError`. */
  chunks(): AsyncIterable<Buffer>;
  /** Throws the rest away and gives the connection free. */
  discard(): void;
}

export interface Http {
  send(request: HttpRequest): Promise<HttpReply>;
  close(): Promise<void>;
}

const first = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? '';

/**
 * The network: one keep-alive pool an origin, no followed redirects, no decoding. undici is loaded by the first request, because it
 * is larger than everything else that main reads before the window is painted.
 */
export function createHttp(): Http {
  /** By connect timeout, the one setting that a pool has of its own. */
  const shared = new Map<number, Promise<Agent>>();
  let closed = false;
  const agents = new Set<Agent>();

  async function openAgent(connectTimeoutMs: number): Promise<Agent> {
    const { Agent } = await import('undici');
    const agent = new Agent({ connect: { timeout: connectTimeoutMs }, pipelining: 1 });
    agents.add(agent);
    if (closed) await agent.destroy();
    return agent;
  }

  function sharedAgent(connectTimeoutMs: number): Promise<Agent> {
    const agent = shared.get(connectTimeoutMs) ?? openAgent(connectTimeoutMs);
    shared.set(connectTimeoutMs, agent);
    return agent;
  }

  async function send(request: HttpRequest): Promise<HttpReply> {
    const { address, signal, connectTimeoutMs, fresh = false } = request;
    signal.throwIfAborted();
    const agent = await (fresh ? openAgent(connectTimeoutMs) : sharedAgent(connectTimeoutMs));
    const release = () => {
      if (!fresh) return;
      agents.delete(agent);
      void agent.close();
    };
    let reply: Dispatcher.ResponseData;
    try {
      reply = await agent.request({
        origin: address.origin,
        path: address.path,
        method: request.method,
        headers: { 'accept-encoding': 'identity', ...request.headers },
        body: request.body ?? null,
        headersTimeout: request.replyTimeoutMs,
        bodyTimeout: request.stallTimeoutMs,
        signal,
      });
    } catch (error) {
      release();
      throw networkError(error, address.origin, signal);
    }
    reply.body.once('close', release);
    return {
      status: reply.statusCode,
      header: (name) => first(reply.headers[name]),
      async *chunks() {
        try {
          for await (const chunk of reply.body) yield chunk as Buffer;
        } catch (error) {
          throw networkError(error, address.origin, signal);
        }
      },
      discard: () => void reply.body.on('error', () => undefined).destroy(),
    };
  }

  return {
    send,
    async close() {
      closed = true;
      await Promise.all([...agents].map((agent) => agent.destroy()));
    },
  };
}
