import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorkerPool } from '../../../sound/worker-pool.ts';
import type { Salvage } from './salvage.ts';

/** A process that works on a copy writes to it more often than this. */
const minAgeMs = 60_000;
const isLeftover = (name: string): boolean =>
  /^timbre\.db\.before-\d+\.[\w-]+\.part$/.test(name) || /^salvage-[\w-]+$/.test(name);

async function lastWrite(path: string): Promise<number> {
  const inside = (await readdir(path).catch(() => [])).map((name) => join(path, name));
  const times = await Promise.all([path, ...inside].map(async (file) => (await stat(file)).mtimeMs));
  return Math.max(...times);
}

/** Removes unfinished database copies of killed processes. Keeps finished ones. */
export async function removeLeftovers(folder: string, now: number): Promise<void> {
  for (const name of (await readdir(folder)).filter(isLeftover)) {
    const path = join(folder, name);
    // Another process may have just removed or renamed it.
    const written = await lastWrite(path).catch(() => now);
    if (now - written > minAgeMs) await rm(path, { recursive: true, force: true });
  }
}

/** A task for the integrity worker. */
export interface IntegrityTask {
  readonly op: 'check' | 'salvage';
  readonly folder: string;
  readonly now: number;
}

/** Runs tasks that take seconds on a large database in a worker thread, which starts with the first task. */
export interface IntegrityClient {
  /** Removes leftovers, then does the same as `findDamage`. */
  check(now: number): Promise<string | null>;
  /** Does the same as `salvageDatabase`. No process may have the database open. */
  salvage(now: number): Promise<Salvage>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly folder: string;
  /** Worker module: `./integrity-worker.js` beside the bundle, the TypeScript file in tests. */
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
