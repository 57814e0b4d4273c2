import { acceptBody, type RequestContext } from './request-context.ts';
import { HttpError } from './http-error.ts';
import { stalledError } from './receive-upload.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const maxJsonBytes = 1024 * 1024;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Yields the body of a request in pieces. Throws `HttpError` 408 if one takes longer than `stallMs`. */
export async function* bodyPieces({ request, stallMs }: RequestContext): AsyncGenerator<Buffer> {
  // The connection stays open, because an error response must still be sent over it.
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  for (;;) {
    const { promise: timeout, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(stalledError(stallMs)), stallMs);
    const next = body.next();
    // Nothing awaits this if the client disconnects later.
    next.catch(() => undefined);
    try {
      const step = await Promise.race([next, timeout]);
      if (step.done) return;
      yield step.value;
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Reads a JSON object of at most 1 MB. Throws `HttpError` 408, 413 or 400; `problem` creates the 400
 * in the operation's words.
 */
export async function readJson(call: RequestContext, problem: (details: string) => HttpError): Promise<JsonObject> {
  const tooLong = () => new HttpError(413, 'Request body too large.', `A JSON body has at most ${maxJsonBytes} bytes.`);
  if (Number(call.request.headers['content-length'] ?? 0) > maxJsonBytes) throw tooLong();
  acceptBody(call);
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bodyPieces(call)) {
    length += piece.length;
    if (length > maxJsonBytes) throw tooLong();
    pieces.push(piece);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    throw problem('The body is not JSON.');
  }
  if (!isObject(value)) throw problem('The body is not a JSON object.');
  return value;
}
