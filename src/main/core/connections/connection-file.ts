import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { type ConnectionDocument, connectionSchema, documentFaults } from '../../../shared/schemas/connection.ts';
import type { Connection } from '../voice-service/connection.ts';

/** Parses a connection document. Throws `connection/invalid` with one fault per line. */
export function parseDocument(document: unknown): ConnectionDocument {
  const faults = documentFaults(document).map(({ field, message }) => `${field}: ${message}`);
  if (faults.length > 0) {
    throw new AppError('connection/invalid', faults.join('; '), { words: faults.join('\n') });
  }
  return v.parse(connectionSchema, document);
}

/** Reads a file as JSON. Throws `connection/not-found` and `connection/invalid`. */
export async function readDocument(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new AppError('connection/not-found', `cannot read ${path}`, { cause, facts: { name: path } });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('connection/invalid', `${path} is not JSON`, {
      cause,
      facts: { name: path },
      words: cause instanceof Error ? cause.message : '',
    });
  }
}

/**
 * Reads a connection from its exported document. The token is never in the document; it comes from
 * the environment.
 */
export async function readFileConnection(path: string, token: string | null): Promise<Connection> {
  const raw = await readDocument(path);
  const document = parseDocument(raw);
  return {
    id: createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 32),
    kind: 'remote',
    document,
    access: () => Promise.resolve({ hosts: document.hosts, token }),
  };
}
