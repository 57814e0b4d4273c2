import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';

const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Rejects requests that are not from the app. A web page must not reach the engine: its requests
 * have an Origin header, and DNS rebinding shows in Host. Throws `HttpError` 403, or 401 for a wrong
 * token.
 */
export function checkCaller({ headers }: IncomingMessage, token: string): void {
  if (!loopbackHost.test(headers.host ?? '')) {
    throw new HttpError(403, 'Forbidden', 'The engine answers on its loopback address only.');
  }
  if (headers.origin !== undefined) throw new HttpError(403, 'Forbidden', 'The engine does not answer web pages.');
  const [, callerToken] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (callerToken === undefined || !timingSafeEqual(digest(callerToken), digest(token))) {
    throw new HttpError(401, 'Unauthorized', 'The access token is missing or wrong.');
  }
}
