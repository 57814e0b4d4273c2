import { join } from 'node:path';
import { servePool } from '../../../sound/serve-pool.ts';
import { findDamage } from './damage.ts';
import { databaseName } from './open-database.ts';
import { salvageDatabase } from './salvage.ts';

/** What the database's thread can be asked. */
export type DatabaseChore =
  | { readonly op: 'check'; readonly folder: string }
  | { readonly op: 'salvage'; readonly folder: string; readonly now: number };

/** Entry of the thread that reads the whole database, while the window goes on. */
servePool((chore: DatabaseChore) =>
  chore.op === 'check'
    ? Promise.resolve(findDamage(join(chore.folder, databaseName)))
    : salvageDatabase(chore.folder, chore.now),
);
