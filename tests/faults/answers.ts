import type { Fault } from './fault.ts';

type AnswerFault = Fault & { readonly kind: 'answer' };

const problem = (status: number, error: string, headers: Readonly<Record<string, string>> = {}): AnswerFault => ({
  kind: 'answer',
  status,
  headers,
  body: { error, details: `${error} (${status})` },
});

const page = '<!doctype html><title>Sign in</title><p>Please sign in to this network.</p>';

/** Error replies of services and of the networks before them. */
export const answers = {
  unauthorized: problem(401, 'Unauthorized'),
  paymentRequired: problem(402, 'Payment required.'),
  forbidden: problem(403, 'Forbidden'),
  serverError: problem(500, 'Internal error.'),
  /** A captive portal. */
  page: { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body: page },
  /** An error with a status of success. */
  hiddenError: { ...problem(400, 'Quota exceeded.'), status: 200 },
  notJson: { kind: 'answer', status: 200, headers: { 'content-type': 'application/json' }, body: '{"status": "succ' },
  nothing: { kind: 'answer', status: 200 },
} as const satisfies Record<string, AnswerFault>;

/** Retry-After in whole seconds or as an HTTP date; by default the header is missing. */
function retryHeaders(retryAfter?: number | Date): Record<string, string> {
  if (retryAfter === undefined) return {};
  return { 'retry-after': typeof retryAfter === 'number' ? String(retryAfter) : retryAfter.toUTCString() };
}

export const tooManyRequests = (retryAfter?: number | Date): AnswerFault =>
  problem(429, 'Too many requests.', retryHeaders(retryAfter));
export const unavailable = (retryAfter?: number | Date): AnswerFault =>
  problem(503, 'Service unavailable.', retryHeaders(retryAfter));

/** The body of the fault `html`. */
export const htmlPage: Buffer = Buffer.from(page);
