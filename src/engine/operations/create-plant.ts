import { acceptBody, sendJson, type Handler } from '../request-context.ts';
import { bodyPieces } from '../read-json.ts';

const maxBytes = 64 * 1024;
const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** Parses JSON and keeps the digits of numbers, because a JavaScript number would round an int64. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, { source }: { readonly source?: string } = {}) =>
      typeof value === 'number' && source !== undefined ? { digits: source } : value,
    );
  } catch {
    return undefined;
  }
}

function isInt64(value: unknown): boolean {
  const digits = typeof value === 'object' && value !== null ? (Reflect.get(value, 'digits') as unknown) : undefined;
  if (typeof digits !== 'string' || !/^-?\d{1,19}$/.test(digits)) return false;
  return BigInt(digits) >= minInt64 && BigInt(digits) <= maxInt64;
}

/** Returns the error message for a plant; null if it is valid. */
function validationError(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return 'The body is not a JSON object.';
  const field = (name: string): unknown => Reflect.get(body, name);
  if (!isInt64(field('id'))) return 'The id field is required, and is a whole number of 64 bits.';
  if (typeof field('name') !== 'string' || field('name') === '') return 'The name field is required.';
  if (field('tag') !== undefined && typeof field('tag') !== 'string') return 'The tag field must be a string.';
  return null;
}

/** POST /plants, the interface's sample. Its errors have a number and a message; nothing is stored. */
export const createPlant: Handler = async (call) => {
  acceptBody(call);
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bodyPieces(call)) {
    length += piece.length;
    if (length <= maxBytes) pieces.push(piece);
  }
  const body = length <= maxBytes ? parse(Buffer.concat(pieces).toString('utf8')) : undefined;
  const message = validationError(body);
  if (message !== null) {
    sendJson(call.response, 400, { error: 400, message });
    return;
  }
  const { name, tag } = body as { readonly name: string; readonly tag?: string };
  sendJson(call.response, 200, { name, ...(tag !== undefined && { tag }) });
};
