import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorkerPool } from '../../../sound/worker-pool.ts';
import type { IntegrityTask } from './integrity-worker.ts';
import type { Salvage } from './salvage.ts';

/** Whoever is at work on one writes to it all the time. */
const restMs = 60_000;
const isLeftover = (name: string): boolean =>
  /^timbre\.db\.before-\d+\.[\w-]+\.part$/.test(name) || /^salvage-[\w-]+$/.test(name);

async function lastWrite(path: string): Promise<number> {
  const inside = (await readdir(path).catch(() => [])).map((name) => join(path, name));
  const times = await Promise.all([path, ...inside].map(async (one) => (await stat(one)).mtimeMs));
  return Math.max(...times);
}

/** Removes copies of a database that a kill left unfinished; finished ones are kept. */
export async function removeLeftovers(folder: string, now: number): Promise<void> {
  for (const name of (await readdir(folder)).filter(isLeftover)) {
    const path = join(folder, name);
    // Somebody else may be done with it just now.
    const written = await lastWrite(path).catch(() => now);
    if (now - written > restMs) await rm(path, { recursive: true, force: true });
  }
}

/** What takes seconds on a large database, in a thread of its own that starts with the first of them. */
export interface IntegrityClient {
  /** As `findDamage`, once what a kill left beside the database is swept away. */
  check(now: number): Promise<string | null>;
  /** As `salvageDatabase`. Nobody may have the database open. */
  salvage(now: number): Promise<Salvage>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly folder: string;
  /** Module of the thread: `./integrity-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
}

export function createIntegrityClient({ folder, workerUrl }: Dependencies): IntegrityClient {
  const pool = createWorkerPool<IntegrityTask, unknown>({ workerUrl });
  return {
    check: (now) => pool.run({ op: 'check', folder, now }) as Promise<string | null>,
    salvage: (now) => pool.run({ op: 'salvage', folder, now }) as Promise<Salvage>,
    stop: pool.stop,
  };
}
