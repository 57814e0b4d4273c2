import { once } from 'node:events';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Decision } from './fault.ts';
import { countBytes, firstBytes, throttle } from './body-streams.ts';
import { headerLines, withHeader, withoutHeaders } from './raw-headers.ts';
import { asPage, bytesOf, emptied, replyFromAnswer, type Reply } from './reply.ts';

/** The client's side of a call. */
export interface Client {
  readonly response: ServerResponse;
  /** Aborted when the client leaves or the proxy stops. */
  readonly signal: AbortSignal;
  onStatus(status: number): void;
  onBytes(bytes: number): void;
}

/** Ends a connection once what was written is on its way, or resets it at once. */
export function breakOff({ socket }: Pick<ServerResponse, 'socket'>, reset = false): void {
  if (reset) socket?.resetAndDestroy();
  else socket?.destroySoon();
}

const silence = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort');
};

/** Sends a reply as it is; without `end` the message stays open behind its last byte. */
async function pour(reply: Reply, client: Client, { end = true, slow = Infinity } = {}): Promise<void> {
  const { response, signal, onStatus, onBytes } = client;
  response.writeHead(reply.status, [...reply.headers]);
  onStatus(reply.status);
  response.flushHeaders();
  const body = Number.isFinite(slow) ? throttle(reply.body, slow, signal) : reply.body;
  await pipeline(countBytes(body, onBytes), response, { end, signal });
}

const shortened = (reply: Reply, bytes: number): Reply => ({
  ...reply,
  body: Readable.from(firstBytes(reply.body, bytes)),
});

/** With its length known, even where the service left it out. */
async function measured(reply: Reply): Promise<Reply & { readonly bytes: number }> {
  if (reply.bytes !== null) return { ...reply, bytes: reply.bytes };
  const body = await bytesOf(reply.body);
  return { ...reply, body: Readable.from([body]), bytes: body.length };
}

/** Passes the service's reply on to the client, with what the fault makes of it. `broken`: the connection was ended on purpose. */
export async function sendReply(
  reply: Reply,
  decision: Decision | null,
  client: Client,
): Promise<'answered' | 'broken'> {
  const { response, signal } = client;
  switch (decision?.kind) {
    case 'answer':
    case 'html':
    case 'empty': {
      reply.body.resume();
      const instead =
        decision.kind === 'answer'
          ? replyFromAnswer(decision)
          : decision.kind === 'html'
            ? asPage(reply, decision.contentType)
            : emptied(reply);
      await pour(instead, client);
      return 'answered';
    }
    case 'drop-after':
      await bytesOf(reply.body);
      breakOff(response, decision.reset);
      return 'broken';
    case 'slow':
      await pour(reply, client, decision.at === 'request' ? {} : { slow: decision.bytesPerSecond });
      return 'answered';
    case 'truncate': {
      const short = shortened(reply, decision.afterBytes);
      if (decision.framing === 'chunked') {
        const headers = withHeader(
          withoutHeaders(reply.headers, new Set(['content-length'])),
          'transfer-encoding',
          'chunked',
        );
        await pour({ ...short, headers }, client);
        return 'answered';
      }
      await pour(short, client, { end: false });
      breakOff(response);
      return 'broken';
    }
    case 'wrong-length': {
      const whole = await measured(reply);
      const headers = withHeader(
        withoutHeaders(whole.headers, new Set(['transfer-encoding'])),
        'content-length',
        String(Math.max(0, whole.bytes + decision.by)),
      );
      await pour({ ...whole, headers }, client, { end: false });
      breakOff(response);
      return 'broken';
    }
    case 'stall':
      if (decision.at === 'body') await pour(shortened(reply, decision.afterBytes), client, { end: false });
      else reply.body.resume();
      await silence(signal);
      return 'broken';
    case 'cut': {
      if (decision.in === 'reply-headers') {
        reply.body.resume();
        const head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${headerLines(reply.headers)}`;
        response.socket?.write(head.slice(0, head.length / 2));
      } else if (decision.in === 'reply-body') {
        const whole = await measured(reply);
        const bytes = decision.afterBytes ?? Math.floor(whole.bytes / 2);
        await pour(shortened(whole, bytes), client, { end: false });
      }
      breakOff(response, decision.reset);
      return 'broken';
    }
    default:
      await pour(reply, client);
      return 'answered';
  }
}
