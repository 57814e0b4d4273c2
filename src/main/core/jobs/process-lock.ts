import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** This process as the owner of rows, for as long as it lives. */
export interface ProcessLock {
  readonly id: string;
  /** True while the process that holds `id` lives, on this machine or on another one that shares the folder. */
  isAlive(id: string): boolean;
  release(): void;
}

/** A lock that is younger may not be held yet by the process that makes it. */
const settledMs = 60_000;
const sqliteBusy = 5;
const isBusy = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'errcode') === sqliteBusy;

/**
 * Says who is alive by a file lock that the system itself releases when a process ends, however it ends. A process number would not
 * do: it is given out again, means something else in a container, and cannot be asked for its start time everywhere. The lock is
 * that of an empty database, because this is the one lock that Node can take on every system.
 */
export function acquireProcessLock(dataFolder: string, id: string = randomUUID()): ProcessLock {
  const folder = join(dataFolder, 'runners');
  const pathOf = (owner: string) => join(folder, `${owner}.lock`);
  const removeFiles = (owner: string) => {
    for (const path of [pathOf(owner), `${pathOf(owner)}-journal`]) rmSync(path, { force: true });
  };
  mkdirSync(folder, { recursive: true });
  const held = new DatabaseSync(pathOf(id), { timeout: 0 });
  held.exec('BEGIN EXCLUSIVE');

  function isAlive(owner: string): boolean {
    if (owner === id) return true;
    if (!existsSync(pathOf(owner))) return false;
    const probe = new DatabaseSync(pathOf(owner), { timeout: 0 });
    try {
      probe.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (isBusy(error)) return true;
      throw error;
    } finally {
      probe.close();
    }
    // No process is ever born with an id that was used before, so nobody can want these files.
    removeFiles(owner);
    return false;
  }
  /** Killed processes leave their locks, and ask for nothing that would have them looked at. */
  function sweep(): void {
    for (const name of readdirSync(folder)) {
      const owner = name.replace(/\.lock$/, '');
      if (owner === name || Date.now() - statSync(join(folder, name)).mtimeMs < settledMs) continue;
      isAlive(owner);
    }
  }
  try {
    sweep();
  } catch {
    // Another process sweeps too, or a file cannot be read: it is left for the next start.
  }

  return {
    id,
    isAlive,
    release() {
      if (!held.isOpen) return;
      held.close();
      removeFiles(id);
    },
  };
}
