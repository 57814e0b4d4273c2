import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { isInt64, type NewPlant, type Plant } from '../../../shared/schemas/diagnostics.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { readJson } from './reply.ts';
import { jsonBody, sendOperation } from './send-operation.ts';

const plantReply = v.object({ name: v.string(), tag: v.optional(v.nullable(v.string()), null) });

/**
 * Interface, operation 9, the sample. Its errors have a number and a message. Throws
 * `request/invalid` if `id` is not an int64.
 */
export async function createPlant(
  http: Http,
  connection: Connection,
  { id, name, tag }: NewPlant,
  signal: AbortSignal,
): Promise<Plant> {
  if (!isInt64(id)) {
    throw new AppError('request/invalid', `an id that is no int64: ${id}`, { facts: { field: 'id' } });
  }
  // A raw number keeps the digits that a JavaScript number would round.
  const values = { id: JSON.rawJSON(String(BigInt(id))), name, tag: tag ?? undefined };
  const body = jsonBody(connection.document, 'plant', values);
  return readJson(await sendOperation(http, connection, 'plant', { body }, signal), plantReply);
}
