import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseName } from '../../../../src/main/core/database/database.ts';

const pollMs = 50;

/** How many jobs of a data folder have not ended. */
export function openRows(dataFolder: string): number {
  const database = new DatabaseSync(join(dataFolder, databaseName), { timeout: 5000 });
  try {
    return Number(database.prepare('SELECT count(*) AS n FROM job WHERE phase < 9').get()?.['n']);
  } finally {
    database.close();
  }
}

/** Resolves when every job of a data folder has ended; the scenario's deadline ends the wait otherwise. */
export async function untilEnded(dataFolder: string): Promise<void> {
  while (openRows(dataFolder) > 0) await sleep(pollMs);
}
