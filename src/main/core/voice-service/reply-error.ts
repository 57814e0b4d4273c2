import * as v from 'valibot';
import { AppError } from '../../../shared/app-error.ts';
import type { ErrorCode } from '../../../shared/error-code.ts';
import { heldWords } from '../secrets/strike-secrets.ts';
import type { HttpReply } from './http.ts';
import { retryAfterSeconds } from './retry-after.ts';

type ReplyHead = Pick<HttpReply, 'status' | 'header' | 'receivedAtMs'>;

const errorBody = v.object({ error: v.string(), details: v.optional(v.unknown()) });
/** The sample operation's error. */
const sampleBody = v.object({ error: v.pipe(v.number(), v.integer()), message: v.string() });
const statusBody = v.object({ status: v.string(), message: v.optional(v.string()) });

const codeByStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'auth/refused'],
  [402, 'quota/used-up'],
  [403, 'auth/forbidden'],
  [404, 'service/not-found'],
  [413, 'service/too-large'],
  [429, 'rate/limited'],
]);

function codeOf(status: number): ErrorCode {
  if (status >= 300 && status < 400) return 'service/redirected';
  if (status >= 500) return 'service/unavailable';
  return codeByStatus.get(status) ?? 'service/refused';
}

/** The words of an error of the interface, whatever its HTTP status; undefined where the body is none. */
function wordsOfError(body: unknown): string | undefined {
  const refusal = v.safeParse(errorBody, body);
  if (refusal.success) {
    const { error, details } = refusal.output;
    return typeof details === 'string' && details ? `${error} ${details}` : error;
  }
  const sample = v.safeParse(sampleBody, body);
  return sample.success ? `${sample.output.message} (${sample.output.error})` : undefined;
}

/** What stands in `status` and `message` where the status is not that of a success. */
function wordsOfStatus(body: unknown): string | undefined {
  const outcome = v.safeParse(statusBody, body);
  return outcome.success && outcome.output.status !== 'success'
    ? (outcome.output.message ?? outcome.output.status)
    : undefined;
}

/**
 * The error that a reply stands for, or undefined where it is a success. `body` is its JSON, undefined where it is none. Where the
 * interface fixes the value of `status`, another one is an error; elsewhere it is free text.
 */
export function replyError(
  { status, header, receivedAtMs }: ReplyHead,
  body: unknown,
  isStatusFixed = false,
): AppError | undefined {
  const isSuccess = status >= 200 && status < 300;
  const said = wordsOfError(body) ?? (isStatusFixed || !isSuccess ? wordsOfStatus(body) : undefined);
  if (said === undefined && isSuccess) return undefined;
  const pause = retryAfterSeconds(header('retry-after'), header('date'), receivedAtMs);
  return new AppError(codeOf(status), `the service answered ${status}`, {
    facts: { status, ...(pause !== undefined && { retryAfterSeconds: pause }) },
    words: said?.slice(0, heldWords),
  });
}
