import * as v from 'valibot';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';
import { heldWords } from '../secrets/redact.ts';
import type { HttpReply } from './http.ts';

const longestSeconds = 3600;

/**
 * Parses an HTTP date (RFC 9110, 5.6.7) to milliseconds since 1970. Its oldest form has no time
 * zone and means GMT.
 */
function httpDate(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Parses Retry-After to whole seconds from 0 to 3,600; undefined if absent or invalid. A date is
 * compared with the reply's own `Date`, because either clock may be wrong; `nowMs` is used without
 * one.
 */
export function retryAfterSeconds(retryAfter: string, date: string, nowMs: number): number | undefined {
  const text = retryAfter.trim();
  // The standard has no fractions, but services send them.
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text)), longestSeconds);
  const until = httpDate(text);
  if (until === undefined) return undefined;
  const seconds = Math.ceil((until - (httpDate(date.trim()) ?? nowMs)) / 1000);
  return Math.min(Math.max(seconds, 0), longestSeconds);
}

type ReplyHead = Pick<HttpReply, 'status' | 'path' | 'header' | 'receivedAtMs'>;

const errorBody = v.object({ error: v.pipe(v.string(), v.minLength(1)), details: v.optional(v.unknown()) });
/** Error body of the sample operation. */
const sampleBody = v.object({ error: v.pipe(v.number(), v.integer()), message: v.string() });
/** A gateway's own error pages have no `details`, so they are told apart from a reply of the service. */
const serviceBody = v.object({ ...errorBody.entries, details: v.pipe(v.string(), v.minLength(1)) });
const statusBody = v.object({ status: v.string(), message: v.optional(v.string()) });

const codeByStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'auth/refused'],
  [402, 'quota/used-up'],
  [403, 'auth/forbidden'],
  [404, 'service/not-found'],
  [413, 'service/too-large'],
  [429, 'rate/limited'],
  // Headers that are too long: only the token can be.
  [431, 'auth/refused'],
]);

function codeOf(status: number): ErrorCode {
  if (status >= 300 && status < 400) return 'service/redirected';
  if (status >= 500) return 'service/unavailable';
  return codeByStatus.get(status) ?? 'service/refused';
}

/**
 * True if a redirect says that the request itself belongs elsewhere: to https, another host or another base path. A 301 or 302
 * to another path is also how many frameworks name what a request has made (RFC 9110, 15.4.3).
 */
function movesRequest(status: number, path: string, location: string): boolean {
  if (status === 307 || status === 308) return true;
  if ((status !== 301 && status !== 302) || location === '') return false;
  const requested = new URL(path, 'http://localhost');
  const pathOf = (url: URL | null) => url?.pathname.replace(/\/+$/, '') ?? '';
  return pathOf(URL.parse(location, requested.href)).endsWith(pathOf(requested));
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The message of an error body, whatever its HTTP status; undefined if it is not an error. */
function wordsOfError(body: unknown): string | undefined {
  const refusal = v.safeParse(errorBody, body);
  if (refusal.success) {
    const { error, details } = refusal.output;
    return typeof details === 'string' && details ? `${error} ${details}` : error;
  }
  const sample = v.safeParse(sampleBody, body);
  return sample.success ? `${sample.output.message} (${sample.output.error})` : undefined;
}

/** What a body says with a `status` that does not mean success. */
function outcomeOf(body: unknown): { readonly status: string; readonly words: string } | undefined {
  const parsed = v.safeParse(statusBody, body);
  if (!parsed.success || parsed.output.status.toLowerCase() === 'success') return undefined;
  const { status, message = status } = parsed.output;
  return { status, words: message };
}

/** Any other word, such as `processing` or `completed`, may mean that the work is, or will be, done. */
const failureWord = /(?:^|[^a-z])(?:err|fail|refus|reject|deni|deny|invalid|bad|forbid|unauth|unsuccess)/i;

/**
 * The error of a reply, or undefined if it succeeded. `body` is its JSON or undefined. Where the
 * interface fixes the value of `status`, any other value is an error; elsewhere it is free text. A 404
 * or 503 with the interface's own error body has the fact `answeredBy: 'service'`; a redirect of the request itself, not to what
 * it has made, has `moved: 'request'`.
 */
export function replyError(
  { status, path, header, receivedAtMs }: ReplyHead,
  body: unknown,
  isStatusFixed = false,
): AppError | undefined {
  const outcome = isStatusFixed || !isSuccess(status) ? outcomeOf(body) : undefined;
  const error = wordsOfError(body);
  const message = error ?? outcome?.words;
  if (message === undefined && isSuccess(status)) return undefined;
  const isRefusal = !isSuccess(status) || error !== undefined || (outcome && failureWord.test(outcome.status));
  const pause = retryAfterSeconds(header('retry-after'), header('date'), receivedAtMs);
  return new AppError(isRefusal ? codeOf(status) : 'service/not-understood', `the service answered ${status}`, {
    facts: {
      status,
      ...(pause !== undefined && { retryAfterSeconds: pause }),
      ...((status === 404 || status === 503) && v.is(serviceBody, body) && { answeredBy: 'service' }),
      ...(movesRequest(status, path, header('location')) && { moved: 'request' }),
    },
    words: message?.slice(0, heldWords),
  });
}

/** A page of 100 voices is about 30 kB: a larger reply is not of this interface. */
const maxReplyBytes = 4 * 1024 * 1024;

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
/** A whole number that JavaScript would round stays as it is written: it is an identifier. */
const keepDigits: Reviver = (_key, value, { source = '' }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;

const parseJson = (text: string): unknown => JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1]);

/** Replaces the numbers that JSON lacks, but Python writes, with null. */
const withoutNaN = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (token) => (token.startsWith('"') ? token : 'null'));

/** The JSON of a body; undefined if it is none. */
function parseBody(body: string): unknown {
  // Some servers put a byte order mark in front, which JSON forbids.
  const text = body.replace(/^\uFEFF/, '');
  try {
    return parseJson(text);
  } catch {
    // Below: one such number must not cost a paid result.
  }
  try {
    return parseJson(withoutNaN(text));
  } catch {
    return undefined;
  }
}

const cutCodes: ReadonlySet<ErrorCode> = new Set(['network/cut', 'network/timeout']);

/**
 * Reads a reply as UTF-8, with its JSON; undefined if it is none. A reply that was cut after a whole object or list, such as one
 * with a wrong length, says all the same. Throws `service/not-understood` if it has more than `maxBytes`.
 */
export async function readBody(
  { chunks, discard }: Pick<HttpReply, 'chunks' | 'discard'>,
  maxBytes: number,
): Promise<{ readonly text: string; readonly body: unknown }> {
  const parts: Buffer[] = [];
  let size = 0;
  let cut: AppError | undefined;
  try {
    for await (const chunk of chunks()) {
      size += chunk.length;
      if (size > maxBytes) {
        discard();
        throw new AppError('service/not-understood', `a reply of more than ${maxBytes} bytes`);
      }
      parts.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof AppError) || !cutCodes.has(error.code)) throw error;
    cut = error;
  }
  const text = Buffer.concat(parts).toString('utf8');
  const body = parseBody(text);
  if (cut && (typeof body !== 'object' || body === null)) throw cut;
  return { text, body };
}

/** Display text, which a service may omit. */
export const openText = v.fallback(v.string(), '');

/**
 * Reads a JSON reply. Throws the service's error, or `service/not-understood` if the schema does
 * not match. `statusRule`: whether a `status` other than success is an error. With
 * `fixed-without-result`, neither that nor an error text is one beside the result, which is paid for.
 */
export async function readJson<S extends v.GenericSchema>(
  reply: HttpReply,
  schema: S,
  statusRule: 'free' | 'fixed' | 'fixed-without-result' = 'free',
): Promise<v.InferOutput<S>> {
  const { body } = await readBody(reply, maxReplyBytes);
  const parsed = v.safeParse(schema, body);
  if (statusRule === 'fixed-without-result' && parsed.success && isSuccess(reply.status)) return parsed.output;
  const error = replyError(reply, body, statusRule !== 'free');
  if (error) throw error;
  if (parsed.success) return parsed.output;
  const field = v.getDotPath(parsed.issues[0]) ?? '';
  throw new AppError('service/not-understood', `${field || 'the reply'}: ${parsed.issues[0].message}`, {
    facts: { field },
  });
}

/**
 * The valid items of a list. Invalid ones are skipped; if all are invalid, throws the first one's
 * error.
 */
export function readValidItems<S extends v.GenericSchema, T>(
  items: readonly unknown[],
  path: string,
  schema: S,
  toItem: (item: v.InferOutput<S>) => T,
): readonly T[] {
  let failure: AppError | undefined;
  const read = items.flatMap((item) => {
    try {
      const parsed = v.safeParse(schema, item);
      if (parsed.success) return [toItem(parsed.output)];
      const field = `${path}.${v.getDotPath(parsed.issues[0]) ?? ''}`;
      throw new AppError('service/not-understood', `${field}: ${parsed.issues[0].message}`, { facts: { field } });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failure ??= error;
      return [];
    }
  });
  if (failure && read.length === 0) throw failure;
  return read;
}
