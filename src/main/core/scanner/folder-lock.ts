import { randomUUID } from 'node:crypto';
import { lstat, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasResultCode } from '../database/sqlite.ts';
import { isNotFound } from '../files/errno.ts';
import { joinPath, onDisk } from './file-index.ts';
import type { WatchRules } from './ignore-rules.ts';
import { driveKind, lockName } from './root-identity.ts';
import { listFolder } from './tree-scan.ts';

/**
 * Keeps Timbres with other data folders from watching the same recordings, which each would pay for. The system
 * releases the lock however the process ends. A folder that can't be locked counts as held.
 */
export interface FolderLock {
  /** Returns null once the lock is held, or the folder that another process watches: this one, one above or one in it. */
  acquire(): Promise<string | null>;
  /** False if the lock file was deleted or replaced. */
  isHeld(): Promise<boolean>;
  release(): void;
}

interface Dependencies {
  readonly rules: WatchRules;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
}

/**
 * A folder with its subfolders is locked exclusively. One without them only takes the write lock, so that a reader can
 * tell: a folder in it may be watched by another process.
 */
type Lock = 'EXCLUSIVE' | 'IMMEDIATE' | 'SHARED';

// Without a journal file beside the lock.
const sqlByLock: Readonly<Record<Lock, string>> = {
  EXCLUSIVE: 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE',
  IMMEDIATE: 'PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE',
  SHARED: 'BEGIN; SELECT 1 FROM sqlite_schema',
};

const busyCodes = [5];

/** Locks an empty SQLite database, as `acquireProcessLock` does. Returns `failed` where there are no locks. */
function lockFile(path: string, lock: Lock): DatabaseSync | 'busy' | 'failed' {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0, readOnly: lock === 'SHARED' });
    database.exec(sqlByLock[lock]);
    return database;
  } catch (error) {
    database?.close();
    return hasResultCode(error, busyCodes) ? 'busy' : 'failed';
  }
}

/** SQLite also reports `busy` where a file system has no locks, so that even a new file appears to be locked. */
async function hasLocks(folder: string): Promise<boolean> {
  const path = join(folder, `.timbre-check-${randomUUID()}`);
  const locked = lockFile(path, 'EXCLUSIVE');
  if (typeof locked !== 'string') locked.close();
  await rm(path, { force: true }).catch(() => undefined);
  return locked !== 'busy';
}

/** Never opens another program’s file, or one that a link leads to. */
async function statOfLock(path: string): Promise<'none' | 'foreign' | bigint> {
  try {
    const stats = await lstat(path, { bigint: true });
    return stats.isFile() && stats.size === 0n ? stats.ino : 'foreign';
  } catch (error) {
    return isNotFound(error) ? 'none' : 'foreign';
  }
}

async function isLocked(folder: string, lock: Lock): Promise<boolean> {
  const path = join(folder, lockName);
  if (typeof (await statOfLock(path)) === 'string') return false;
  const locked = lockFile(path, lock);
  if (typeof locked !== 'string') locked.close();
  return locked === 'busy' && (await hasLocks(folder));
}

/** An open file keeps a disk from being ejected, and few disks are watched by two Timbres while they are plugged in. */
async function isEjectable(folder: string, platform: NodeJS.Platform): Promise<boolean> {
  if (!/^\/(run\/)?media\//.test(folder)) return false;
  const drive = await driveKind(folder, platform);
  return drive === 'local' || drive === 'local-fuse';
}

export function createFolderLock({ rules, platform, signal }: Dependencies): FolderLock {
  const { root } = rules;
  const path = join(root.path, lockName);
  /** `inode` is null where the system makes inode numbers up. */
  let held: { readonly database: DatabaseSync; readonly inode: bigint | string | null } | null = null;

  function release(): void {
    held?.database.close();
    held = null;
  }

  async function findAbove(): Promise<string | null> {
    for (let folder = await realpath(root.path).catch(() => root.path); folder !== dirname(folder);) {
      folder = dirname(folder);
      if (await isLocked(folder, 'SHARED')) return folder;
    }
    return null;
  }

  async function findBelow(isLocal: boolean): Promise<string | null> {
    const queue = [''];
    for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
      signal.throwIfAborted();
      const parent = folder;
      const locks: string[] = [];
      await listFolder(onDisk(root.path, parent), isLocal, (entry) => {
        if (entry.name === lockName && parent !== '') locks.push(onDisk(root.path, parent));
        const inside = joinPath(parent, entry.name);
        if (entry.isDirectory() && rules.entersFolder(inside, entry.name)) queue.push(inside);
      }).catch(() => undefined);
      for (const locked of locks) if (await isLocked(locked, 'IMMEDIATE')) return locked;
    }
    return null;
  }

  return {
    async acquire() {
      release();
      if (!root.isExclusive || (await isEjectable(root.path, platform))) return null;
      if ((await statOfLock(path)) === 'foreign') return null;
      const locked = lockFile(path, root.isRecursive ? 'EXCLUSIVE' : 'IMMEDIATE');
      if (locked === 'failed') return null;
      if (locked === 'busy') return (await hasLocks(root.path)) ? root.path : null;
      held = { database: locked, inode: null };
      try {
        const isLocal = (await driveKind(root.path, platform)) === 'local';
        held = { database: locked, inode: isLocal ? await statOfLock(path) : null };
        const other = (await findAbove()) ?? (root.isRecursive ? await findBelow(isLocal) : null);
        if (other !== null) release();
        return other;
      } catch (error) {
        release();
        throw error;
      }
    },
    async isHeld() {
      const lock = held;
      if (lock === null) return true;
      const found = await statOfLock(path);
      return found !== 'none' && (lock.inode === null || found === lock.inode);
    },
    release,
  };
}
