import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

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
export async function sweepLeftovers(folder: string, now: number): Promise<void> {
  for (const name of (await readdir(folder)).filter(isLeftover)) {
    const path = join(folder, name);
    // Somebody else may be done with it just now.
    const written = await lastWrite(path).catch(() => now);
    if (now - written > restMs) await rm(path, { recursive: true, force: true });
  }
}
