import { join } from 'node:path';
import { servePool } from '../../../sound/serve-pool.ts';
import { databaseName } from './database.ts';
import { type IntegrityTask, removeLeftovers } from './integrity.ts';
import { salvageDatabase } from './salvage.ts';
import { findDamage } from './sqlite.ts';

/**
 * Entry of the worker thread that checks the database, or salvages a damaged one. Reading it whole on the main thread
 * would block the window.
 */
servePool(async ({ op, folder, now }: IntegrityTask) => {
  if (op === 'salvage') return salvageDatabase(folder, now);
  await removeLeftovers(folder, now);
  return findDamage(join(folder, databaseName));
});
