import { headersOf, type Http, type HttpReply, type HttpRequest } from '../voice-service/http.ts';

/** A transferred body: its first bytes and its size. */
export interface RecordedBody {
  readonly head: readonly Buffer[];
  readonly sizeBytes: number;
  /** It was transferred completely. */
  readonly isWhole: boolean;
}

/** One request and its outcome. Grows while the call runs, and contains secrets. */
export interface Recording {
  readonly request: Pick<HttpRequest, 'method' | 'address'> & {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: RecordedBody;
  };
  readonly reply: (Pick<HttpReply, 'status' | 'headers'> & { readonly body: RecordedBody }) | null;
  readonly beganAtMs: number;
  /** Null while the call runs. */
  readonly endedAtMs: number | null;
}

interface Options {
  /** Maximum recorded bytes per body. */
  readonly keptBytes?: number;
  readonly now?: () => number;
}

type Growing<T> = { -readonly [K in keyof T]: T[K] };
interface GrowingBody extends Growing<RecordedBody> {
  head: Buffer[];
}

const usualKeptBytes = 256 * 1024;

function createTape(keptBytes: number) {
  const body: GrowingBody = { head: [], sizeBytes: 0, isWhole: false };
  let kept = 0;
  return {
    body,
    put(chunk: Buffer) {
      body.sizeBytes += chunk.length;
      // Copied: the sender may reuse its buffer.
      if (kept < keptBytes) body.head.push(Buffer.from(chunk.subarray(0, keptBytes - kept)));
      kept = Math.min(keptBytes, kept + chunk.length);
    },
  };
}

/** Records each request and its outcome. Changes and delays nothing. */
export const recordedHttp = (
  http: Http,
  record: (recording: Recording) => void,
  { keptBytes = usualKeptBytes, now = Date.now }: Options = {},
): Http => ({
  async send(request) {
    const sent = createTape(keptBytes);
    const recording: Growing<Recording> = {
      request: { method: request.method, address: request.address, headers: headersOf(request), body: sent.body },
      reply: null,
      beganAtMs: now(),
      endedAtMs: null,
    };
    const end = () => void (recording.endedAtMs ??= now());

    async function* passing(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of body) {
        sent.put(chunk);
        yield chunk;
      }
      sent.body.isWhole = true;
    }

    const { body } = request;
    if (typeof body !== 'object') {
      if (body !== undefined) sent.put(Buffer.from(body));
      sent.body.isWhole = true;
    }
    record(recording);
    try {
      const reply = await http.send(typeof body === 'object' ? { ...request, body: passing(body) } : request);
      const received = createTape(keptBytes);
      recording.reply = { status: reply.status, headers: reply.headers, body: received.body };
      return {
        ...reply,
        async *chunks() {
          try {
            for await (const chunk of reply.chunks()) {
              received.put(chunk);
              yield chunk;
            }
            received.body.isWhole = true;
          } finally {
            end();
          }
        },
        discard() {
          end();
          reply.discard();
        },
      };
    } catch (error) {
      end();
      throw error;
    }
  },
  close: http.close,
});
