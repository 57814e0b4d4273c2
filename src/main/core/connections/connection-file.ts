import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { type ConnectionDocument, connectionSchema, documentFaults } from '../../../shared/schemas/connection.ts';
import { readSmallText } from '../files/content.ts';
import { isNotFound } from '../files/errno.ts';
import type { Connection } from '../voice-service/connection.ts';
import { tokenIn } from './connection-registry.ts';

/** Parses a connection document. Throws `connection/invalid` with one fault per line. */
export function parseDocument(document: unknown): ConnectionDocument {
  const faults = documentFaults(document).map(({ field, message }) => `${field}: ${message}`);
  if (faults.length > 0) {
    throw new AppError('connection/invalid', faults.join('; '), { words: faults.join('\n') });
  }
  return v.parse(connectionSchema, document);
}

/** A document has some fifty fields. */
const maxDocumentBytes = 1024 ** 2;

async function readDocumentText(path: string, signal?: AbortSignal): Promise<string> {
  const text = await readSmallText(path, maxDocumentBytes, signal);
  if (text === null) throw new AppError('connection/invalid', `${path} has over ${maxDocumentBytes} bytes`);
  return text;
}

/**
 * Reads a file as JSON; with a signal also a pipe, until it ends or the signal is aborted. Throws `input/…`,
 * `connection/invalid` and the signal's reason.
 */
export async function readDocument(path: string, signal?: AbortSignal): Promise<unknown> {
  const facts = { name: path };
  let text: string;
  try {
    text = await readDocumentText(path, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AppError) throw cause;
    const code = isNotFound(cause) ? 'input/missing' : 'input/unreadable';
    throw new AppError(code, `cannot read ${path}`, { cause, facts });
  }
  try {
    // Windows' editors write one.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new AppError('connection/invalid', `${path} is not JSON`, {
      cause,
      facts,
      words: cause instanceof Error ? cause.message : '',
    });
  }
}

/**
 * Reads a connection from its exported document. The token is never in the document; it comes from
 * the environment.
 */
export async function readFileConnection(
  path: string,
  token: string | null,
  signal?: AbortSignal,
): Promise<Connection> {
  const raw = await readDocument(path, signal);
  const document = parseDocument(raw);
  return {
    id: createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 32),
    kind: 'remote',
    document,
    access: () => Promise.resolve({ hosts: document.hosts, token: token === null ? null : tokenIn(token, document) }),
  };
}
