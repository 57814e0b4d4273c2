import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request on its way through an operation. */
export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The decoded variable segments of the path, in order. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  /** The engine's own address, `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Longest silence of the client while its body is read. */
  readonly stallMs: number;
}

/** Answers the call, or throws `HttpError`. */
export type Operation = (call: RequestContext) => Promise<void>;

/** Tells a client that sent `Expect: 100-continue` to go on; to be called before the body is read, after all that can refuse it. */
export function acceptBody({ request, response }: RequestContext): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

/** Answers with JSON and its length. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
  response.end(bytes);
}
