import { AppError } from '../../../shared/errors.ts';
import { type ConnectionDocument, isHeaderValue } from '../../../shared/schemas/connection.ts';
import { type Address, originsOf } from './address.ts';
import type { HttpRequest } from './http.ts';

/**
 * The authorization headers, only for the connection's own hosts. Throws `auth/missing` with the
 * origin if the token was not entered for it.
 */
export function authorizationOf(
  { document }: Connection,
  { token, tokenOrigins }: Access,
  { origin }: Address,
): Readonly<Record<string, string>> {
  if (token === null || document.authorization === '') return {};
  if (tokenOrigins && !tokenOrigins.includes(origin)) {
    throw new AppError('auth/missing', `the token was not entered for ${origin}`, { facts: { origin } });
  }
  const authorization = document.authorization.replaceAll('{token}', () => token);
  // Tokens stored by an older version may contain line breaks.
  if (!isHeaderValue(authorization)) throw new AppError('auth/missing', 'the token cannot be sent');
  return { authorization };
}

/** True if the address is on a host of the connection, which may receive credentials. */
export const isOwnHost = ({ hosts }: Access, { origin }: Address): boolean => originsOf(hosts).includes(origin);

type Timeouts = Pick<HttpRequest, 'connectTimeoutMs' | 'replyTimeoutMs' | 'stallTimeoutMs'>;

/** Timeouts of a call with a reply of any length. */
export const timeoutsOf = ({ document: { timeouts } }: Connection): Timeouts => ({
  connectTimeoutMs: timeouts.connectMs,
  replyTimeoutMs: timeouts.stallMs,
  stallTimeoutMs: timeouts.stallMs,
});

/** Timeouts of a call with a JSON reply: one stall timeout to start the reply and one to finish it. */
export const jsonTimeoutsOf = (connection: Connection): Timeouts & Pick<HttpRequest, 'totalTimeoutMs'> => ({
  ...timeoutsOf(connection),
  totalTimeoutMs: 2 * connection.document.timeouts.stallMs,
});

/**
 * What a call needs besides the document. Requested per call: the local engine's address changes
 * with each start.
 */
export interface Access {
  readonly hosts: ConnectionDocument['hosts'];
  /** Null if not set: the request then has no Authorization header. */
  readonly token: string | null;
  /** The origins the token was entered for; omitted if it came together with the hosts. */
  readonly tokenOrigins?: readonly string[];
}

export interface Connection {
  readonly id: string;
  readonly kind: 'local' | 'remote';
  readonly document: ConnectionDocument;
  access(signal: AbortSignal): Promise<Access>;
}
