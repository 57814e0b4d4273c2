import type { Address } from './address.ts';
import type { Access, Connection } from './connection.ts';
import type { HttpRequest } from './http.ts';

/** The headers that identify the caller: sent to the connection's own hosts, and to nobody else. */
export function authorizationOf({ document }: Connection, { token }: Access): Readonly<Record<string, string>> {
  return token === null || document.authorization === ''
    ? {}
    : { authorization: document.authorization.replaceAll('{token}', token) };
}

/** True where the address is on a host of the connection, so that it may see the credentials. */
export const isOwnHost = ({ hosts }: Access, { origin }: Address): boolean =>
  Object.values(hosts).some((base) => base !== '' && new URL(base).origin === origin);

type Timeouts = Pick<HttpRequest, 'connectTimeoutMs' | 'replyTimeoutMs' | 'stallTimeoutMs'>;

/** Timeouts of a call whose reply may be of any length. */
export const timeoutsOf = ({ document: { timeouts } }: Connection): Timeouts => ({
  connectTimeoutMs: timeouts.connectMs,
  replyTimeoutMs: timeouts.stallMs,
  stallTimeoutMs: timeouts.stallMs,
});

/** Timeouts of a call that is answered with JSON: one stall to begin the reply, one to end it. */
export const jsonTimeoutsOf = (connection: Connection): Timeouts & Pick<HttpRequest, 'totalTimeoutMs'> => ({
  ...timeoutsOf(connection),
  totalTimeoutMs: 2 * connection.document.timeouts.stallMs,
});
