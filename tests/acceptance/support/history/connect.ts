import type { ConnectionDocument } from '../../../../src/shared/schemas/connection.ts';
import type { FaultProxy } from '../../../faults/start-fault-proxy.ts';
import { must } from '../scenario.ts';
import type { HistoryCase } from './open-history.ts';

/** Saves a connection to the service behind a proxy, as the user would, and selects it. Returns its id. */
export async function connect(
  { api, settings }: HistoryCase,
  proxy: FaultProxy,
  overrides: Partial<ConnectionDocument> = {},
  token = 'a token that the proxy replaces',
): Promise<string> {
  const saved = await api.connections.save({ id: null, document: { ...proxy.document(overrides) } });
  must(saved.kind === 'saved', `the connection was not saved: ${JSON.stringify(saved)}`);
  const { id } = saved.connection;
  await api.connections.setToken({ id, token, place: 'file' });
  await settings({ connectionId: id });
  return id;
}
