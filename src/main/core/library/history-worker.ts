import { DatabaseSync } from 'node:sqlite';
import { servePool } from '../../../sound/serve-pool.ts';
import { countList } from './count-list.ts';
import type { Match } from './match-of.ts';

export interface CountRequest {
  /** Of the database. */
  readonly path: string;
  readonly match: Match;
}

/** Entry of the thread that counts lists: a million entries take a second, which nobody waits for. */
servePool(async ({ path, match }: CountRequest, signal) => {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return await countList(database, match, signal);
  } finally {
    database.close();
  }
});
