import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { isInt64, type NewPlant, type Plant } from '../../../shared/schemas/diagnostics.ts';
import { addressOf } from './address.ts';
import { authorizationOf, type Connection, jsonTimeoutsOf } from './connection.ts';
import type { Http } from './http.ts';
import { readJson } from './reply.ts';

const plantReply = v.object({ name: v.string(), tag: v.optional(v.nullable(v.string()), null) });

/** JSON with the id as the number that it is: `JSON.rawJSON` writes its digits as they stand. */
function bodyOf({ id, name, tag }: NewPlant): string {
  if (!isInt64(id)) {
    throw new AppError('request/invalid', `an id that is no int64: ${id}`, { facts: { field: 'id' } });
  }
  return JSON.stringify({ id: JSON.rawJSON(String(BigInt(id))), name, ...(tag !== null && { tag }) });
}

/** Interface, operation 9, the sample. Its error has another shape, a number and a message. */
export async function createPlant(
  http: Http,
  connection: Connection,
  plant: NewPlant,
  signal: AbortSignal,
): Promise<Plant> {
  const body = bodyOf(plant);
  const access = await connection.access(signal);
  const address = addressOf(access.hosts.sample || access.hosts.voice, '/plants');
  const reply = await http.send({
    method: 'POST',
    address,
    headers: {
      ...(connection.document.sampleAuthorized ? authorizationOf(connection, access, address) : {}),
      'content-type': 'application/json',
    },
    body,
    ...jsonTimeoutsOf(connection),
    signal,
  });
  return readJson(reply, plantReply);
}
