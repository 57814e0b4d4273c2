import { acceptBody, type Call } from './call.ts';
import { HttpProblem } from './http-problem.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const maxJsonBytes = 1024 * 1024;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a JSON object of at most 1 MB. Throws `HttpProblem` 413 or 400; `problem` words the 400 as the operation does. */
export async function readJson(call: Call, problem: (details: string) => HttpProblem): Promise<JsonObject> {
  const tooLong = () =>
    new HttpProblem(413, 'Request body too large.', `A JSON body has at most ${maxJsonBytes} bytes.`);
  if (Number(call.request.headers['content-length'] ?? 0) > maxJsonBytes) throw tooLong();
  acceptBody(call);
  const pieces: Buffer[] = [];
  let length = 0;
  // Kept open on the way out: the refusal still has to go over it.
  for await (const piece of call.request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
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
