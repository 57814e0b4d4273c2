import { AppError, type ErrorCode } from '../../../shared/errors.ts';

/**
 * The way to the service never stood: no name, no socket, no tunnel, no TLS. Nothing of the request has left, whatever the cause
 * is called. Made where undici asks for a socket, because the same `ECONNRESET` means the opposite one moment later.
 */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  /** Who failed: the proxy in between, or the service (or whatever stands in its place). */
  readonly at: 'proxy' | 'service';

  constructor(at: 'proxy' | 'service', cause: Error) {
    super(cause.message, { cause });
    this.at = at;
  }
}

/** Node's names for a certificate that is not to be trusted (tls, "X509 certificate error codes", and its own two). */
const untrusted = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'CRL_HAS_EXPIRED',
  'CRL_NOT_YET_VALID',
  'CRL_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CRL_LAST_UPDATE_FIELD',
  'ERROR_IN_CRL_NEXT_UPDATE_FIELD',
  'ERR_TLS_CERT_ALTNAME_FORMAT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

function systemCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return systemCode(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** While a socket is opened, only a proxy is spoken to in HTTP: undici's own complaints are about it. */
const isAboutProxy = (cause: unknown, reason: string): boolean =>
  (cause instanceof Error && cause.name === 'HTTPParserError') ||
  (reason.startsWith('UND_ERR_') && reason !== 'UND_ERR_CONNECT_TIMEOUT');

function connectCode({ at, cause }: ConnectFailure, reason: string): ErrorCode {
  if (at === 'proxy' || isAboutProxy(cause, reason)) return 'network/proxy';
  return untrusted.has(reason) ? 'network/insecure' : 'network/unreachable';
}

/** The status with which a proxy refused a tunnel stands nowhere but in undici's sentence. */
function refusalOf(cause: unknown): { readonly status?: number } {
  const status = cause instanceof Error ? /^Proxy response \((\d+)\)/.exec(cause.message)?.[1] : undefined;
  return status === undefined ? {} : { status: Number(status) };
}

/**
 * Names what the network did. Errors of ours and aborts pass as they are. Whatever fails once a socket was handed over may have
 * left the request at the service: also a TLS alert, which in TLS 1.3 can come after the client has begun to send.
 */
export function networkError(error: unknown, origin: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof AppError) return error;
  const { host } = new URL(origin);
  if (error instanceof ConnectFailure) {
    const reason = systemCode(error.cause);
    return new AppError(connectCode(error, reason), `${origin}: ${reason || error.message}`, {
      cause: error,
      facts: { host, ...(reason && { reason }), ...refusalOf(error.cause) },
    });
  }
  const reason = systemCode(error);
  // undici refused to send it, as it will each time.
  if (reason === 'UND_ERR_INVALID_ARG') {
    return new AppError('request/invalid', `${origin}: ${String(error)}`, { cause: error });
  }
  return new AppError(
    timeouts.has(reason) ? 'network/timeout' : 'network/cut',
    `${origin}: ${reason || String(error)}`,
    {
      cause: error,
      facts: { host, ...(reason && { reason }) },
    },
  );
}
