import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '../../../shared/app-error.ts';
import type { Connection } from '../voice-service/connection.ts';
import { parseDocument } from './stored-connections.ts';

/** What a file holds, as JSON. Throws `connection/not-found` and `connection/invalid`. */
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

/** A connection from its exported document. The token never stands in it: it comes from the environment. */
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
