import type { ErrorCode, Problem } from '../../../shared/errors.ts';
import { numberFact } from '../../../shared/messages/facts.ts';

/**
 * Errors that prove a paid call was not carried out: it was never sent, or the service refused it explicitly.
 * After any other error the outcome is unknown; `wasNotCarriedOut` has the exceptions.
 */
const notCarriedOut: ReadonlySet<ErrorCode> = new Set([
  'network/unreachable',
  'network/insecure',
  'network/proxy',
  'network/offline-mode',
  'system/too-many-files',
  'engine/not-started',
  'connection/invalid',
  'connection/not-found',
  'request/invalid',
  'input/text-empty',
  'input/text-too-long',
  'input/not-text',
  'voice/missing',
  'voice/not-found',
  'service/refused',
  'service/too-large',
  'auth/missing',
  'auth/refused',
  'auth/forbidden',
  'quota/used-up',
  'rate/limited',
]);

/** Given up waiting: a gateway says so after it has passed the request on (408, AWS 460, nginx 499). */
const gaveUpWaiting: ReadonlySet<number> = new Set([408, 460, 499]);

/**
 * True if a paid call that failed so was certainly not carried out. A gateway's 404 or 503 proves nothing: it
 * may have passed the request on and lost the service since, and names a time all the same: Varnish does with each
 * 503, also when the service took longer than it waits. Statuses from 500 are `service/unavailable`.
 */
export function wasNotCarriedOut({ code, facts }: Problem): boolean {
  const status = numberFact(facts ?? {}, 'status') ?? 0;
  const isOfService = facts?.['answeredBy'] === 'service';
  switch (code) {
    case 'service/unavailable':
      return isOfService && status === 503 && facts['retryAfterSeconds'] !== undefined;
    case 'service/not-found':
      return isOfService;
    case 'service/redirected':
      return facts?.['moved'] === 'request';
    default:
      return notCarriedOut.has(code) && !gaveUpWaiting.has(status);
  }
}

/**
 * Statuses of a result that a storage no longer has, or refuses because the signature of its address has expired. It also sends
 * them while it does not have the result yet, or the signature does not apply yet.
 */
export const missingStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 404]);
