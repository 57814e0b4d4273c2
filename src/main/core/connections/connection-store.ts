import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { type ConnectionDocument, connectionSchema } from '../../../shared/schemas/connection.ts';
import type { Clock } from '../clock.ts';
import { transaction } from '../database/sqlite.ts';
import { unfinished } from '../jobs/job-row.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { Connection } from '../voice-service/connection.ts';
import { parseDocument } from './connection-file.ts';

/** Connections on disk. Every change is there before the call returns. */
export interface ConnectionStore {
  /** In the order in which they were made. */
  list(): readonly Connection[];
  /**
   * Keeps a new connection, or the new document of one that exists. Throws `connection/invalid` with one line a wrong field, and where
   * another connection has that name: the command line could not tell them apart.
   */
  save(id: string | null, document: unknown): Connection;
  /** Throws `connection/in-use` where any process has open jobs of it. */
  remove(id: string): void;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly secrets: SecretStore;
  readonly clock: Clock;
  readonly randomId: () => string;
  /** Names that connections have which are not stored. */
  readonly reservedNames: readonly string[];
  /** A stored connection that is none: it is left alone and shown nowhere. */
  onDefect(error: unknown): void;
}

export function createConnectionStore(dependencies: Dependencies): ConnectionStore {
  const { database, secrets, clock, randomId, reservedNames, onDefect } = dependencies;
  const select = database.prepare('SELECT id, document FROM connection ORDER BY created_at, id');
  const put = database.prepare(
    `INSERT INTO connection (id, document, created_at) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET document = excluded.document`,
  );
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
    save(given, raw) {
      const document = parseDocument(raw);
      const id = given ?? randomId();
      const others = list().filter((connection) => connection.id !== id);
      const names = [...reservedNames, ...others.map((connection) => connection.document.name)];
      if (names.includes(document.name)) {
        throw new AppError('connection/name-taken', `there is a connection ${document.name}`, {
          facts: { name: document.name },
        });
      }
      put.run(id, JSON.stringify(document), clock.now());
      return toConnection(id, document);
    },
    remove: (id) =>
      transaction(database, () => {
        // A job finds its service by its connection, whoever works on it.
        if (selectOpen.get(id)) throw new AppError('connection/in-use', `connection ${id} has open jobs`);
        drop.run(id);
      }),
  };
}
