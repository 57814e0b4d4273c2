import { headersOf, type Http, type HttpReply, type HttpRequest } from '../voice-service/http.ts';

/** A transferred body: its first bytes and its size. */
export interface RecordedBody {
  readonly head: readonly Buffer[];
  readonly sizeBytes: number;
  /** It was transferred completely. */
  readonly isWhole: boolean;
}

/** One request and its outcome. Grows while the call runs, and contains secrets. */
export interface RecordedExchange {
  readonly request: Pick<HttpRequest, 'method' | 'address'> & {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: RecordedBody;
  };
  readonly reply: (Pick<HttpReply, 'status' | 'headers'> & { readonly body: RecordedBody }) | null;
  readonly startedAtMs: number;
  /** Null while the call runs. */
  readonly endedAtMs: number | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface MutableBody extends Mutable<RecordedBody> {
  head: Buffer[];
}

/** Recorded of each body. */
const maxBodyBytes = 256 * 1024;

function createBodyRecorder() {
  const body: MutableBody = { head: [], sizeBytes: 0, isWhole: false };
  let recordedBytes = 0;
  return {
    body,
    add(chunk: Buffer) {
      body.sizeBytes += chunk.length;
      // Copied: the sender may reuse its buffer.
      if (recordedBytes < maxBodyBytes) body.head.push(Buffer.from(chunk.subarray(0, maxBodyBytes - recordedBytes)));
      recordedBytes = Math.min(maxBodyBytes, recordedBytes + chunk.length);
    },
  };
}

/** Records each request and its outcome. Changes and delays nothing. */
export const recordedHttp = (http: Http, record: (exchange: RecordedExchange) => void): Http => ({
  async send(request) {
    const sent = createBodyRecorder();
    const exchange: Mutable<RecordedExchange> = {
      request: { method: request.method, address: request.address, headers: headersOf(request), body: sent.body },
      reply: null,
      startedAtMs: Date.now(),
      endedAtMs: null,
    };
    const finish = () => void (exchange.endedAtMs ??= Date.now());

    async function* recorded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of body) {
        sent.add(chunk);
        yield chunk;
      }
      sent.body.isWhole = true;
    }

    const { body } = request;
    if (typeof body !== 'object') {
      if (body !== undefined) sent.add(Buffer.from(body));
      sent.body.isWhole = true;
    }
    record(exchange);
    try {
      const reply = await http.send(typeof body === 'object' ? { ...request, body: recorded(body) } : request);
      const received = createBodyRecorder();
      exchange.reply = { status: reply.status, headers: reply.headers, body: received.body };
      return {
        ...reply,
        async *chunks() {
          try {
            for await (const chunk of reply.chunks()) {
              received.add(chunk);
              yield chunk;
            }
            received.body.isWhole = true;
          } finally {
            finish();
          }
        },
        discard() {
          finish();
          reply.discard();
        },
      };
    } catch (error) {
      finish();
      throw error;
    }
  },
  close: http.close,
});
