import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { headerLines, withHeader, withoutConnectionHeaders } from './raw-headers.ts';

/** A request on its way to the service. */
export interface Forwarded {
  /** The service's own address, `http://127.0.0.1:PORT`. */
  readonly target: string;
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly body: Readable;
  readonly signal: AbortSignal;
  /** Replaces the client's Authorization, if there is one. */
  readonly serviceToken: string | null;
  /** Called once the service is connected: from now on it may have received the request. */
  onReached(): void;
  /** Called when the service requests the body (`Expect: 100-continue`). */
  onContinue(): void;
}

function headersFor({ target, rawHeaders, serviceToken }: Forwarded): readonly string[] {
  const headers = withHeader(withoutConnectionHeaders(rawHeaders), 'host', new URL(target).host);
  const authorized = headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'authorization');
  return serviceToken !== null && authorized ? withHeader(headers, 'authorization', `Bearer ${serviceToken}`) : headers;
}

/**
 * Sends a request and resolves with the reply as soon as it begins, be the request sent in full or not. A connection of its own for
 * each: an idle one that the service closes at that moment would be a fault that no rule asked for.
 */
export async function sendToService(forwarded: Forwarded): Promise<IncomingMessage> {
  const { target, method, path, body, signal, onReached, onContinue } = forwarded;
  const { hostname, port } = new URL(target);
  const headers = [...headersFor(forwarded)];
  const request = httpRequest({ hostname, port, method, path, headers, agent: false, signal });
  request.once('socket', (socket) => socket.once('connect', onReached));
  request.on('continue', onContinue);
  const replied = once(request, 'response') as Promise<[IncomingMessage]>;
  const sent = pipeline(body, request);
  // A service may answer before it has read all, and close: then the reply is what counts.
  sent.catch(() => undefined);
  const [reply] = await Promise.race([replied, sent.then(() => replied)]);
  return reply;
}

/**
 * Gives the service the beginning of a request and breaks the connection: half the request line, half the headers, or the headers and
 * `bodyBytes` bytes of the body.
 */
export async function sendPart(
  forwarded: Forwarded,
  part: 'request-line' | 'request-headers' | 'request-body',
  bodyBytes: number,
): Promise<void> {
  const { target, method, path, body, signal, onReached } = forwarded;
  const { hostname, port } = new URL(target);
  const socket = connect({ host: hostname, port: Number(port) });
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort);
  // What the service thinks of half a request is its own affair.
  socket.on('error', () => undefined).resume();
  try {
    await once(socket, 'connect');
    onReached();
    const line = `${method} ${path} HTTP/1.1\r\n`;
    const fields = headerLines(headersFor(forwarded));
    if (part === 'request-line') socket.write(line.slice(0, line.length / 2));
    if (part === 'request-headers') socket.write(line + fields.slice(0, fields.length / 2));
    if (part === 'request-body') {
      socket.write(`${line}${fields}\r\n`);
      await writeBytes(socket, body, bodyBytes, /^transfer-encoding: chunked/im.test(fields));
    }
    await new Promise((resolve) => socket.write('', resolve));
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

async function writeBytes(
  socket: NodeJS.WritableStream,
  body: Readable,
  bytes: number,
  chunked: boolean,
): Promise<void> {
  let left = bytes;
  if (left === 0) return;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const piece = chunk.subarray(0, left);
    // A chunk that is cut keeps the length it announced.
    if (chunked) socket.write(`${chunk.length.toString(16)}\r\n`);
    if (!socket.write(piece)) await once(socket, 'drain');
    if (chunked && piece.length === chunk.length) socket.write('\r\n');
    left -= piece.length;
    if (left === 0) return;
  }
}
