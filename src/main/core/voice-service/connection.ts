import { AppError } from '../../../shared/errors.ts';
import { type ConnectionDocument, isHeaderValue } from '../../../shared/schemas/connection.ts';
import { type Address, originsOf } from './address.ts';
import type { HttpRequest } from './http.ts';

/**
 * The headers that identify the caller: sent to the connection's own hosts, and to nobody else. Throws `auth/missing` with the origin
 * where the token was not entered for it.
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
  // One of an older Timbre, which took line breaks along.
  if (!isHeaderValue(authorization)) throw new AppError('auth/missing', 'the token cannot be sent');
  return { authorization };
}

/** True where the address is on a host of the connection, so that it may see the credentials. */
export const isOwnHost = ({ hosts }: Access, { origin }: Address): boolean => originsOf(hosts).includes(origin);

/** A request without the fields that the service refuses; one inside another has a dotted name. */
export function withoutOmitted(
  { omit }: Pick<ConnectionDocument, 'omit'>,
  operation: 'create-task' | 'convert' | 'speech',
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isLeftOut = (name: string) => (omit as readonly string[]).includes(`${operation}.${name}`);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isLeftOut(name)));
}

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

/** What a call needs beyond the document. Asked for at each call: the local engine's address changes with each start. */
export interface Access {
  readonly hosts: ConnectionDocument['hosts'];
  /** Null where none was set: the request then carries no Authorization. */
  readonly token: string | null;
  /** The origins that the token was entered for; left out where it came together with the hosts. */
  readonly tokenOrigins?: readonly string[];
}

export interface Connection {
  readonly id: string;
  readonly kind: 'local' | 'remote';
  readonly document: ConnectionDocument;
  access(signal: AbortSignal): Promise<Access>;
}
