import { createWorkerPool } from '../../../sound/worker-pool.ts';
import type { DatabaseChore } from './database-worker.ts';
import type { Salvage } from './salvage.ts';

/** What takes seconds on a large database, in a thread of its own that starts with the first of them. */
export interface DatabaseChores {
  /** As `findDamage`, once what a kill left beside the database is swept away. */
  check(now: number): Promise<string | null>;
  /** As `salvageDatabase`. Nobody may have the database open. */
  salvage(now: number): Promise<Salvage>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly folder: string;
  /** Module of the thread: `./database-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
}

export function createDatabaseChores({ folder, workerUrl }: Dependencies): DatabaseChores {
  const pool = createWorkerPool<DatabaseChore, unknown>({ workerUrl });
  return {
    check: (now) => pool.run({ op: 'check', folder, now }) as Promise<string | null>,
    salvage: (now) => pool.run({ op: 'salvage', folder, now }) as Promise<Salvage>,
    stop: pool.stop,
  };
}
