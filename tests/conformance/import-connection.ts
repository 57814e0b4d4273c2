import { parse } from 'valibot';
import type { Connection } from '../../src/main/core/voice-service/connection.ts';
import { connectionSchema } from '../../src/shared/schemas/connection.ts';
import type { Json } from './plain-client.ts';

/** A connection as the user imports it: a JSON document and the token. */
export function importConnection(document: Json, token = 'secret'): Connection {
  const read = parse(connectionSchema, JSON.parse(JSON.stringify({ name: 'Studio', ...document })));
  return {
    id: 'conformance',
    kind: 'remote',
    document: read,
    access: () => Promise.resolve({ hosts: read.hosts, token }),
  };
}
