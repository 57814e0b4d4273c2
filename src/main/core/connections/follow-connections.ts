import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import { isWriteBlocked } from '../database/write-gate.ts';
import type { ConnectionRegistry } from './connection-registry.ts';
import type { ConnectionStore } from './connection-store.ts';

interface Dependencies {
  readonly database: DatabaseSync;
  readonly store: Pick<ConnectionStore, 'list'>;
  readonly registry: Pick<ConnectionRegistry, 'has' | 'upsert' | 'remove'>;
  readonly clock: Pick<Clock, 'sleep'>;
  onDefect(error: unknown): void;
}

/** Changes of another process are seen no later than this. Without any, a poll reads one number. */
const pollMs = 1000;

/**
 * Adds the connections that other processes store to the registry, and removes those that they remove, until `signal`
 * aborts. Only the app changes one, and there is one app.
 */
export function followConnections(
  { database, store, registry, clock, onDefect }: Dependencies,
  signal: AbortSignal,
): void {
  const selectVersion = database.prepare('PRAGMA data_version');
  const versionOf = () => selectVersion.get()?.['data_version'];
  let version = versionOf();
  let known = new Set(store.list().map(({ id }) => id));

  function update(): void {
    const now = versionOf();
    if (now === version) return;
    const stored = store.list();
    version = now;
    const ids = new Set(stored.map(({ id }) => id));
    for (const connection of stored) if (!registry.has(connection.id)) registry.upsert(connection);
    for (const id of known) if (!ids.has(id)) registry.remove(id);
    known = ids;
  }

  async function poll(): Promise<void> {
    for (;;) {
      await clock.sleep(pollMs, signal);
      try {
        update();
      } catch (error) {
        // The disk may only be busy.
        if (!isWriteBlocked(error)) onDefect(error);
      }
    }
  }
  poll().catch((error: unknown) => {
    if (!signal.aborted) onDefect(error);
  });
}
