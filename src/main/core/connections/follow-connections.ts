import { followOtherWrites } from '../database/other-writes.ts';
import type { ConnectionRegistry } from './connection-registry.ts';
import type { ConnectionStore } from './connection-store.ts';

type WriteDependencies = Parameters<typeof followOtherWrites>[0];

interface Dependencies extends WriteDependencies {
  readonly store: Pick<ConnectionStore, 'list'>;
  readonly registry: Pick<ConnectionRegistry, 'has' | 'upsert' | 'remove'>;
}

/**
 * Adds the connections that other processes store to the registry, and removes those that they remove, until `signal`
 * aborts. Only the app changes one, and there is one app.
 */
export function followConnections(dependencies: Dependencies, signal: AbortSignal): void {
  const { store, registry } = dependencies;
  let known: ReadonlySet<string> = new Set();
  followOtherWrites(dependencies, signal, () => {
    const stored = store.list();
    const ids = new Set(stored.map(({ id }) => id));
    for (const connection of stored) if (!registry.has(connection.id)) registry.upsert(connection);
    for (const id of known) if (!ids.has(id)) registry.remove(id);
    known = ids;
  });
  // Read last: what is written from here on is followed.
  known = new Set(store.list().map(({ id }) => id));
}
