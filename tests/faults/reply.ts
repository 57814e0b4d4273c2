import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { htmlPage } from './answers.ts';
import type { Answer } from './fault.ts';
import { headerOf, withHeader, withoutConnectionHeaders, withoutHeaders } from './raw-headers.ts';

/** A reply on its way to the client. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Readable;
  /** Null if the service did not announce the length. */
  readonly bytes: number | null;
}

const framing = new Set(['content-length', 'transfer-encoding']);

/** A reply with a complete body. */
export function replyWith(status: number, headers: readonly string[], body: Uint8Array): Reply {
  const framed = withHeader(withoutHeaders(headers, framing), 'content-length', String(body.length));
  return {
    status,
    headers: framed,
    body: Readable.from(body.length > 0 ? [Buffer.from(body)] : []),
    bytes: body.length,
  };
}

export function replyOf(message: IncomingMessage): Reply {
  const headers = withoutConnectionHeaders(message.rawHeaders);
  const length = headerOf(headers, 'content-length');
  return { status: message.statusCode ?? 0, headers, body: message, bytes: length === null ? null : Number(length) };
}

export async function bytesOf(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function replyFromAnswer({ status, headers = {}, body = '' }: Answer): Reply {
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = typeof body === 'string' ? Buffer.from(body) : isText ? body : Buffer.from(JSON.stringify(body));
  const type = isText ? {} : { 'content-type': 'application/json' };
  return replyWith(status, Object.entries({ ...type, ...headers }).flat(), bytes);
}

/** The same status and headers with a web page; `contentType` says what it pretends to be. */
export const asPage = ({ status, headers }: Reply, contentType = 'text/html'): Reply =>
  replyWith(status, withHeader(headers, 'content-type', contentType), htmlPage);

export const emptied = ({ status, headers }: Reply): Reply => replyWith(status, headers, Buffer.alloc(0));

/** A JSON body together with its reply, which can still be sent; null for any other content. */
export async function jsonOf(reply: Reply): Promise<{ readonly text: string; readonly reply: Reply } | null> {
  if (!headerOf(reply.headers, 'content-type')?.includes('json')) return null;
  const bytes = await bytesOf(reply.body);
  return { text: bytes.toString(), reply: { ...reply, body: Readable.from(bytes.length > 0 ? [bytes] : []) } };
}
