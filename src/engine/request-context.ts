import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request and what an operation needs to handle it. */
export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The decoded variable segments of the path, in order. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  /** The engine's origin, `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Maximum time without data while the body is read. */
  readonly stallMs: number;
}

/** Sends the response, or throws `HttpError`. */
export type Handler = (call: RequestContext) => Promise<void>;

/**
 * Sends `100 Continue` if the client expects it. Call it before reading the body, after all checks
 * that may reject the request.
 */
export function acceptBody({ request, response }: RequestContext): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

/** Sends JSON with its content length. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
  response.end(bytes);
}
