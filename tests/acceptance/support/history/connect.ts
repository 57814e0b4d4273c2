import type { ConnectionDocument } from '../../../../src/shared/schemas/connection.ts';
import type { FaultProxy } from '../../../faults/start-fault-proxy.ts';
import { must } from '../scenario.ts';
import type { Library } from './open-history.ts';

/** Keeps a connection to the service behind a proxy, as a person would, and works with it from now on. Returns its id. */
export async function connect(
  { api, settings }: Library,
  proxy: FaultProxy,
  overrides: Partial<ConnectionDocument> = {},
  token = 'a token that the proxy replaces',
): Promise<string> {
  const saved = await api.connections.save({ id: null, document: { ...proxy.document(overrides) } });
  must(saved.kind === 'kept', `the connection was not kept: ${JSON.stringify(saved)}`);
  const { id } = saved.connection;
  await api.connections.setToken({ id, token, place: 'file' });
  await settings({ connectionId: id });
  return id;
}
