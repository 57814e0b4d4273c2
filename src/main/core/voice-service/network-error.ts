import { AppError } from '../../../shared/app-error.ts';
import type { ErrorCode } from '../../../shared/error-code.ts';

/** Causes after which the request certainly never reached the service: repeating it cannot be paid twice. */
const unreached = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
]);
const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

function systemCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return systemCode(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function codeOf(error: unknown): ErrorCode {
  const code = systemCode(error);
  if (unreached.has(code) || code.startsWith('ERR_SSL_')) return 'network/unreachable';
  return timeouts.has(code) ? 'network/timeout' : 'network/cut';
}

/** Names what the network did. Errors of ours and aborts pass as they are. */
export function networkError(error: unknown, origin: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof AppError) return error;
  const reason = systemCode(error);
  return new AppError(codeOf(error), `${origin}: ${reason || String(error)}`, {
    cause: error,
    facts: { host: new URL(origin).host, ...(reason && { reason }) },
  });
}

/** True where the request cannot have had an effect, so that it is safe to send it again. */
export const neverArrived = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'network/unreachable';
