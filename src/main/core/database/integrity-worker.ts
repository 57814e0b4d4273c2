import { join } from 'node:path';
import { servePool } from '../../../sound/serve-pool.ts';
import { databaseName } from './database.ts';
import { removeLeftovers } from './integrity.ts';
import { salvageDatabase } from './salvage.ts';
import { findDamage } from './sqlite.ts';

/** A task for the integrity worker. */
export interface IntegrityTask {
  readonly op: 'check' | 'salvage';
  readonly folder: string;
  readonly now: number;
}

/** Entry of the worker thread. Reading the whole database on the main thread would block the window. */
servePool(async ({ op, folder, now }: IntegrityTask) => {
  if (op === 'salvage') return salvageDatabase(folder, now);
  await removeLeftovers(folder, now);
  return findDamage(join(folder, databaseName));
});
