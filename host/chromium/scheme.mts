// Serves the app's own schemes over loopback HTTP, only to the host's Chromium.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { SchemeMap } from './scheme-url.mts';

export type SchemeHandler = (request: Request) => Response | Promise<Response>;

export interface SchemeServer {
  readonly handlers: Map<string, SchemeHandler>;
  /** Required in every request. Chromium gets it over CDP, and no page can read it. */
  readonly cookie: { readonly name: string; readonly value: string };
  /** Starts listening on 127.0.0.1 and returns the port. */
  listen(): Promise<number>;
  /** Returns whether the handler failed for this address since the last call, and resets it. */
  consumeFailure(url: string): boolean;
}

/** Headers of the loopback connection, which the app must not see. */
const hopHeaders = new Set(['host', 'cookie', 'connection', 'accept-encoding']);

export function createSchemeServer(map: SchemeMap): SchemeServer {
  const handlers = new Map<string, SchemeHandler>();
  const cookie = { name: 'host', value: randomBytes(24).toString('hex') };
  const failures = new Set<string>();

  const isOurs = (request: IncomingMessage): boolean =>
    (request.headers.cookie ?? '').split('; ').includes(`${cookie.name}=${cookie.value}`);

  // Causes a network error, as in Electron. Chromium retries after a plain reset, so the handler would run three times;
  // two contradictory content lengths fail without a retry.
  const fail = (url: string, response: ServerResponse, reason: unknown): void => {
    if (reason !== undefined) console.error(reason);
    failures.add(url);
    if (response.headersSent) response.destroy();
    else response.socket?.end('HTTP/1.1 500 failed\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n');
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const [, host, scheme] = /^(.+)\.([\w+-]+)\.localhost$/.exec(incoming.headers.host ?? '') ?? [];
    const handler = scheme === undefined ? undefined : handlers.get(scheme);
    if (!handler || !isOurs(incoming)) {
      outgoing.writeHead(403, { connection: 'close' }).end();
      return;
    }
    const url = `${scheme}://${host}${incoming.url}`;
    try {
      const response: unknown = await handler(toRequest(url, incoming, map));
      if (!(response instanceof Response)) throw new TypeError('protocol.handle: the handler gave no Response');
      if (response.type === 'error') fail(url, outgoing, undefined);
      else await sendResponse(response, incoming, outgoing, map);
    } catch (error) {
      fail(url, outgoing, error);
    }
  };

  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  server.keepAliveTimeout = 60_000;

  return {
    handlers,
    cookie,
    consumeFailure: (url) => failures.delete(url),
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', () => {
          server.unref();
          resolve((server.address() as AddressInfo).port);
        });
      }),
  };
}

function toRequest(url: string, incoming: IncomingMessage, map: SchemeMap): Request {
  const headers = new Headers();
  const { rawHeaders, method = 'GET' } = incoming;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = String(rawHeaders[i]).toLowerCase();
    const value = String(rawHeaders[i + 1]);
    if (hopHeaders.has(name)) continue;
    headers.append(name, name === 'origin' || name === 'referer' ? map.toApp(value) : value);
  }
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Request(url, { method, headers, body, duplex: 'half' } as RequestInit);
}

async function sendResponse(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  map: SchemeMap,
): Promise<void> {
  for (const [name, value] of response.headers) {
    if (name === 'location') outgoing.appendHeader(name, map.toChromium(value));
    else if (name.startsWith('content-security-policy')) outgoing.appendHeader(name, map.policyToChromium(value));
    else outgoing.appendHeader(name, value);
  }
  // Electron has no HTTP cache for the app's own schemes.
  outgoing.setHeader('cache-control', 'no-store');
  outgoing.writeHead(response.status, response.statusText || undefined);
  if (!response.body || incoming.method === 'HEAD') {
    outgoing.end();
    return;
  }
  const reader = (response.body as NodeReadableStream<Uint8Array>).getReader();
  // If the page aborts, the body's cancel() notifies the handler, as in Electron, which passes no abort signal.
  outgoing.on('close', () => {
    if (!outgoing.writableEnded) reader.cancel().catch(() => undefined);
  });
  outgoing.flushHeaders();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    if (!outgoing.write(chunk.value)) await roomOrEnd(outgoing);
  }
  outgoing.end();
}

function roomOrEnd(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) return resolve();
    outgoing.once('drain', resolve);
    outgoing.once('close', resolve);
  });
}
