import { AppError, type ErrorCode } from '../../../shared/errors.ts';

/**
 * The connection was never established: DNS, socket, proxy tunnel or TLS failed, so nothing of the request was sent.
 * Created by the connector, because the same `ECONNRESET` means the opposite a moment later.
 */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  /** What failed: the proxy, or the service or something in its place. */
  readonly at: 'proxy' | 'service';

  constructor(at: 'proxy' | 'service', cause: Error) {
    super(cause.message, { cause });
    this.at = at;
  }
}

/** Node's error codes for an untrusted certificate (tls, "X509 certificate error codes", and two of its own). */
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

/** While a socket is opened, HTTP is used only with a proxy, so undici's own errors are about the proxy. */
const isAboutProxy = (cause: unknown, reason: string): boolean =>
  (cause instanceof Error && cause.name === 'HTTPParserError') ||
  (reason.startsWith('UND_ERR_') && reason !== 'UND_ERR_CONNECT_TIMEOUT');

function connectCode({ at, cause }: ConnectFailure, reason: string): ErrorCode {
  if (at === 'proxy' || isAboutProxy(cause, reason)) return 'network/proxy';
  return untrusted.has(reason) ? 'network/insecure' : 'network/unreachable';
}

/** The status with which a proxy refused a tunnel is only in undici's message. */
function refusalOf(cause: unknown): { readonly status?: number } {
  const status = cause instanceof Error ? /^Proxy response \((\d+)\)/.exec(cause.message)?.[1] : undefined;
  return status === undefined ? {} : { status: Number(status) };
}

/**
 * Maps a network failure to an `AppError`. Timbre's own errors and aborts pass through. Once there is a socket, the
 * service may have received the request, even before a TLS alert: TLS 1.3 may send that after the client's first data.
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
  // undici refuses to send such a request, and would each time.
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
