import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { type ConnectionDocument, connectionSchema } from '../../../shared/schemas/connection.ts';

/** The documents that jobs were created with, stored once each under their hash: many jobs share one. */
export interface ConnectionDocuments {
  /** Returns the hash of the document. */
  save(document: ConnectionDocument): string;
  /** Throws if there is none, or if it is damaged. */
  get(hash: string): ConnectionDocument;
}

export function createConnectionDocuments(database: DatabaseSync): ConnectionDocuments {
  const insert = database.prepare(
    'INSERT INTO connection_document (hash, document) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const select = database.prepare('SELECT document FROM connection_document WHERE hash = ?');
  const hashes = new WeakMap<ConnectionDocument, { readonly hash: string; readonly text: string }>();
  const documents = new Map<string, ConnectionDocument>();
  return {
    save(document) {
      const text = hashes.get(document)?.text ?? JSON.stringify(document);
      const hash = hashes.get(document)?.hash ?? createHash('sha256').update(text).digest('hex');
      hashes.set(document, { hash, text });
      insert.run(hash, text);
      return hash;
    },
    get(hash) {
      const document =
        documents.get(hash) ?? v.parse(connectionSchema, JSON.parse(String(select.get(hash)?.['document'])));
      documents.set(hash, document);
      return document;
    },
  };
}
