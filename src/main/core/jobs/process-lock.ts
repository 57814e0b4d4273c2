import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Marks this process as alive, so that its id can own rows. */
export interface ProcessLock {
  readonly id: string;
  /** True while the process with this id runs, on this machine or on another one that shares the folder. */
  isAlive(id: string): boolean;
  release(): void;
}

/** The creator of a younger lock file may not have locked it yet. */
const minSweepAgeMs = 60_000;
const sqliteBusy = 5;
const isBusy = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'errcode') === sqliteBusy;

/**
 * Acquires a file lock, which the operating system releases however the process ends. A PID would not do: it
 * is reused, differs inside a container, and its start time is not available everywhere. The lock is on an
 * empty SQLite database, the only file lock that Node offers on every system.
 */
export function acquireProcessLock(dataFolder: string, id: string = randomUUID()): ProcessLock {
  const folder = join(dataFolder, 'runners');
  const pathOf = (owner: string) => join(folder, `${owner}.lock`);
  const removeFiles = (owner: string) => {
    for (const path of [pathOf(owner), `${pathOf(owner)}-journal`]) {
      try {
        rmSync(path, { force: true });
      } catch {
        // Left to a later sweep: a command whose work is done has not failed for it.
      }
    }
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
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
    // Ids are never reused, so no process needs these files.
    removeFiles(owner);
    return false;
  }
  /** Removes lock files of killed processes; those without jobs would never be checked otherwise. */
  function sweep(): void {
    for (const name of readdirSync(folder)) {
      const owner = name.replace(/\.lock$/, '');
      if (owner === name || Date.now() - statSync(join(folder, name)).mtimeMs < minSweepAgeMs) continue;
      isAlive(owner);
    }
  }
  try {
    sweep();
  } catch {
    // Another process is sweeping too, or a file is unreadable: the next start tries again.
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

/** For a process that only reads: it owns nothing and takes nothing over. */
export const readerLock = (): ProcessLock => ({ id: randomUUID(), isAlive: () => true, release: () => undefined });
