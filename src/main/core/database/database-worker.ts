import { join } from 'node:path';
import { servePool } from '../../../sound/serve-pool.ts';
import { findDamage } from './damage.ts';
import { databaseName } from './open-database.ts';
import { salvageDatabase } from './salvage.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';

/** What the database's thread can be asked. */
export interface DatabaseChore {
  readonly op: 'check' | 'salvage';
  readonly folder: string;
  readonly now: number;
}

/** Entry of the thread that reads the whole database, while the window goes on. */
servePool(async ({ op, folder, now }: DatabaseChore) => {
  if (op === 'salvage') return salvageDatabase(folder, now);
  await sweepLeftovers(folder, now);
  return findDamage(join(folder, databaseName));
});
