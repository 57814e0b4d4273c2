import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import { makeFolder, withFolder } from '../files/folders.ts';
import { type Migration, migrations } from './migrations.ts';
import { addSearchFunctions } from './search-functions.ts';
import { busyTimeoutMs, isDamage, transaction } from './sqlite.ts';

function versionOf(database: DatabaseSync): number {
  const row = database.prepare('PRAGMA user_version').get();
  return Number(row?.['user_version']);
}

/** A copy of the whole database as it is now, under a name that says its version. It appears at once or not at all. */
async function backUp(database: DatabaseSync, path: string, version: number): Promise<void> {
  const target = `${path}.before-${version + 1}`;
  const part = `${target}.${randomUUID()}.part`;
  try {
    await backup(database, part);
    const file = await open(part, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, target);
    await withFolder(dirname(path), (folder) => folder.sync());
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Runs what is missing, one transaction a migration together with its number, so that a kill leaves the database before or after a
 * step and never inside one. Data that exists is copied aside first. Several processes may do this at once: each step is decided
 * under the write lock.
 */
export async function migrate(database: DatabaseSync, path: string, known: readonly Migration[]): Promise<void> {
  const latest = known.at(-1)?.version ?? 0;
  const found = versionOf(database);
  if (found > latest) {
    throw new AppError('data/newer', `${path} has version ${found}, this Timbre knows ${latest}`, {
      facts: { name: path },
    });
  }
  if (found === latest) return;
  if (found > 0) await backUp(database, path, found);
  for (const { version, sql } of known) {
    transaction(database, () => {
      if (versionOf(database) >= version) return;
      database.exec(sql);
      database.exec(`PRAGMA user_version = ${version}`);
    });
  }
}

export const databaseName = 'timbre.db';

/** A migration of another process may take seconds. */
const openingTimeoutMs = 10_000;

/**
 * Opens the one database of a data folder, which any number of processes may do at once, and brings it to the present schema.
 * WAL lets them read while one writes; FULL makes a commit survive a power cut, which is what the journal promises; what is deleted is
 * overwritten, because the signed address of a result is a secret (see `truncateWal` for the log). Errors:
 * `data/newer` where a later Timbre wrote it, `data/damaged` where it is no sound database (see `salvageDatabase`), `data/unreadable`
 * where it cannot be opened; the file is then left as it is.
 */
export async function openDatabase(folder: string, known: readonly Migration[] = migrations): Promise<DatabaseSync> {
  const path = join(folder, databaseName);
  let database: DatabaseSync | undefined;
  try {
    await makeFolder(folder, 0o700);
    database = new DatabaseSync(path, { timeout: openingTimeoutMs });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    database.exec('PRAGMA secure_delete = ON');
    addSearchFunctions(database);
    await migrate(database, path, known);
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return database;
  } catch (cause) {
    if (database?.isOpen) database.close();
    if (cause instanceof AppError) throw cause;
    if (isDamage(cause)) throw new AppError('data/damaged', `${path}: ${String(cause)}`, { cause });
    throw new AppError('data/unreadable', `cannot open ${path}: ${String(cause)}`, { cause, facts: { name: path } });
  }
}

/**
 * Empties the log that is written ahead: it keeps what rows held before, a result's signed address among it, until it happens to be
 * written over. Does nothing inside a transaction, or while another process reads: whoever is idle next does it.
 */
export function truncateWal(database: DatabaseSync): void {
  if (!database.isOpen || database.isTransaction) return;
  database.exec('PRAGMA busy_timeout = 0');
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }
}
