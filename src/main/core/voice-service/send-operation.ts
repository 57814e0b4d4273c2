import { type BodyFieldName, type OperationId, operationOf } from '../../../shared/operations.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { addressOf, type Query, segment } from './address.ts';
import { authorizationOf, type Connection, jsonTimeoutsOf, timeoutsOf } from './connection.ts';
import type { Http, HttpReply, HttpRequest } from './http.ts';

interface OperationRequest extends Partial<Pick<HttpRequest, 'body' | 'replyTimeoutMs' | 'totalTimeoutMs'>> {
  /** Values of the parameters in the path, in order. */
  readonly parameters?: readonly string[];
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Address of the host of an operation. */
export const baseOf = (hosts: ConnectionDocument['hosts'], id: OperationId): string =>
  hosts[operationOf(id).host] || hosts.voice;

/**
 * Sends an operation as the table of operations describes it. A paid one goes out on a connection of
 * its own and may take as long as a conversion. Throws `AppError`, or the signal's reason.
 */
export async function sendOperation(
  http: Http,
  connection: Connection,
  id: OperationId,
  { parameters = [], query = {}, headers = {}, ...request }: OperationRequest,
  signal: AbortSignal,
): Promise<HttpReply> {
  const { method, path, content, authorization, isPaid = false } = operationOf(id);
  const { document } = connection;
  const left = parameters.map(segment);
  const target = path.replaceAll(/\{[^}]+\}/g, () => left.shift() ?? '');
  const access = await connection.access(signal);
  const address = addressOf(baseOf(access.hosts, id), target, query);
  const isAuthorized = authorization === 'always' || document[authorization];
  return http.send({
    method,
    address,
    headers: {
      ...(isAuthorized && authorizationOf(connection, access, address)),
      ...(content === 'json' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(isPaid
      ? { ...timeoutsOf(connection), replyTimeoutMs: document.timeouts.convertMs, fresh: true }
      : jsonTimeoutsOf(connection)),
    ...request,
    signal,
  });
}

/** True if the service rejects the field, so that it is not sent. */
export const isOmitted = ({ omit }: Pick<ConnectionDocument, 'omit'>, id: OperationId, field: string): boolean =>
  (omit as readonly string[]).includes(`${id}.${field}`);

/**
 * The JSON body of an operation: its fixed fields and `values`, in the table's order, without those
 * that the service rejects or that are undefined. `pathOf` moves a field elsewhere; dots nest.
 */
export function jsonBody<O extends OperationId>(
  document: Pick<ConnectionDocument, 'omit'>,
  id: O,
  values: Readonly<Record<BodyFieldName<O>, unknown>>,
  pathOf: (field: string) => string = (field) => field,
): string {
  const body: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(operationOf(id).request)) {
    if (field.place !== 'body' || isOmitted(document, id, name)) continue;
    const value = field.kind === 'fixed' ? field.value : values[name as BodyFieldName<O>];
    const path = pathOf(name).split('.');
    const [last = name] = path.splice(-1);
    const parent = path.reduce((object, key) => (object[key] ??= {}) as Record<string, unknown>, body);
    parent[last] = value;
  }
  return JSON.stringify(body);
}
