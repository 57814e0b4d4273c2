import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { type ConnectionDocument, connectionSchema } from '../../../shared/schemas/connection.ts';
import { comparableName } from '../../../shared/text/comparable-name.ts';
import type { Clock } from '../clock.ts';
import { unfinished } from '../database/schema.ts';
import { transaction } from '../database/sqlite.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { Connection } from '../voice-service/connection.ts';
import { parseDocument } from './connection-file.ts';

/** Stored connections. Every change is on disk when the call returns. */
export interface ConnectionStore {
  /** In order of creation. */
  list(): readonly Connection[];
  /**
   * Stores a new connection, or the new document of an existing one. Throws `connection/invalid`
   * with one line per fault, `connection/name-taken`, ignoring case, as the command line selects by name, and
   * `connection/not-found`.
   */
  save(id: string | null, document: unknown): Connection;
  /** Throws `connection/in-use` if any process has open jobs with it. */
  remove(id: string): void;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly secrets: SecretStore;
  readonly clock: Clock;
  readonly randomId: () => string;
  /** Names of connections that are not stored. */
  readonly reservedNames: readonly string[];
  /** Reports an invalid stored connection, which is kept but not listed. */
  onDefect(error: unknown): void;
}

export function createConnectionStore(dependencies: Dependencies): ConnectionStore {
  const { database, secrets, clock, randomId, reservedNames, onDefect } = dependencies;
  const select = database.prepare('SELECT id, document FROM connection ORDER BY created_at, id');
  const insert = database.prepare('INSERT INTO connection (id, document, created_at) VALUES (?, ?, ?)');
  const update = database.prepare('UPDATE connection SET document = ? WHERE id = ?');
  const drop = database.prepare('DELETE FROM connection WHERE id = ?');
  const selectOpen = database.prepare(`SELECT 1 FROM job WHERE connection_id = ? AND ${unfinished} LIMIT 1`);

  const toConnection = (id: string, document: ConnectionDocument): Connection => ({
    id,
    kind: 'remote',
    document,
    async access() {
      const secret = await secrets.get(id);
      return { hosts: document.hosts, token: secret?.token ?? null, tokenOrigins: secret?.origins ?? [] };
    },
  });

  function list(): readonly Connection[] {
    return select.all().flatMap(({ id, document }) => {
      try {
        return [toConnection(String(id), v.parse(connectionSchema, JSON.parse(String(document))))];
      } catch (error) {
        onDefect(error);
        return [];
      }
    });
  }

  return {
    list,
    save(existingId, raw) {
      const document = parseDocument(raw);
      const { name } = document;
      const id = existingId ?? randomId();
      // Under the write lock, so that no other process takes the same name.
      return transaction(database, () => {
        const others = list().filter((connection) => connection.id !== id);
        const names = [...reservedNames, ...others.map((connection) => connection.document.name)];
        if (names.some((taken) => comparableName(taken) === comparableName(name)))
          throw new AppError('connection/name-taken', `there is a connection ${name}`, { facts: { name } });
        if (existingId === null) insert.run(id, JSON.stringify(document), clock.now());
        else if (update.run(JSON.stringify(document), id).changes === 0)
          throw new AppError('connection/not-found', `connection ${name} was removed`, { facts: { name } });
        return toConnection(id, document);
      });
    },
    remove: (id) =>
      transaction(database, () => {
        // Jobs of every process find their service through the connection.
        if (selectOpen.get(id)) throw new AppError('connection/in-use', `connection ${id} has open jobs`);
        drop.run(id);
      }),
  };
}
