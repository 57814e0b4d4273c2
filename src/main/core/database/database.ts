import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import { databaseName } from '../data-folder.ts';
import { errnoOf } from '../files/errno.ts';
import { makeFolder, withFolder } from '../files/folders.ts';
import { syncFile } from '../files/replace-file.ts';
import { applicationId, type Migration, migrations } from './schema.ts';
import { addSearchFunctions } from './search-functions.ts';
import { busyTimeoutMs, hasResultCode, isDamage, isFull, openReadOnly, transaction } from './sqlite.ts';

export { databaseName };

/** Waits for another process's migration, which may take seconds. */
const openingTimeoutMs = 10_000;
const retryMs = 10;
/** SQLITE_BUSY: https://www.sqlite.org/rescode.html */
const lockedCodes = [5] as const;

/**
 * Opens the database of a data folder and migrates it to the current schema. Any number of processes may have it
 * open. WAL lets them read while one writes; `synchronous = FULL` makes each commit survive a power cut, as the
 * job store promises; `secure_delete` overwrites deleted data, because a result's signed URL is a secret (see
 * `createCheckpoints` for the log).
 *
 * Throws `data/newer` if a later version of Timbre wrote it, `data/unreleased` if a development version did,
 * `data/damaged` if it is damaged (see `salvageDatabase`), `output/disk-full` if there is no space to open it, and
 * `data/unreadable` if it cannot be opened. The file is then left as it is.
 */
export async function openDatabase(folder: string, known: readonly Migration[] = migrations): Promise<DatabaseSync> {
  const path = join(folder, databaseName);
  let database: DatabaseSync | undefined;
  try {
    await makeFolder(folder, 0o700);
    refuseNewer(path, known);
    await createPrivately(path);
    database = new DatabaseSync(path, { timeout: openingTimeoutMs });
    refuseForeignSchema(database, path);
    await enterWalMode(database);
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON');
    addSearchFunctions(database);
    await migrate(database, path, known);
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return database;
  } catch (cause) {
    if (database?.isOpen) database.close();
    if (cause instanceof AppError) throw cause;
    if (isDamage(cause)) throw new AppError('data/damaged', `${path}: ${String(cause)}`, { cause });
    const code = isFull(cause) ? 'output/disk-full' : 'data/unreadable';
    throw new AppError(code, `cannot open ${path}: ${String(cause)}`, { cause, facts: { name: path } });
  }
}

export interface OpenedDatabase {
  readonly database: DatabaseSync;
  /** Why the database can only be read: `data/newer`. Null if it can be written. */
  readonly refusal: AppError | null;
}

/** The folder may be readable to others. SQLite gives its other files the permissions of the database. */
async function createPrivately(path: string): Promise<void> {
  if (existsSync(path)) return;
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    // Another process has created it.
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Like `openDatabase`, but opens the database of a later Timbre read-only if it has every table and column of this one.
 * Other processes may write to it meanwhile.
 */
export async function openOrReadDatabase(folder: string): Promise<OpenedDatabase> {
  try {
    return { database: await openDatabase(folder), refusal: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'data/newer') throw error;
    const database = openReadable(join(folder, databaseName), error);
    const facts = { ...error.problem.facts, access: 'read' };
    return { database, refusal: new AppError('data/newer', error.message, { cause: error, facts }) };
  }
}

/** Throws `data/newer` if the database cannot be read, or lacks a table or column of the current schema. */
function openReadable(path: string, refusal: AppError): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(path);
    const found = new Set(columnsOf(database));
    const missing = currentColumns().filter((column) => !found.has(column));
    if (missing.length > 0) throw new Error(`it has no ${missing.join(', ')}`);
    addSearchFunctions(database);
    return database;
  } catch (cause) {
    database?.close();
    const { facts } = refusal.problem;
    throw new AppError('data/newer', `${refusal.message}, and cannot read it: ${String(cause)}`, { cause, facts });
  }
}

/** Each column of a table, with its type. Views are only read by triggers, and may call functions of a later Timbre. */
const columnsOf = (database: DatabaseSync): readonly string[] =>
  database
    .prepare(
      `SELECT t.name || '.' || c.name || ' ' || c.type AS column FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c
       WHERE t.schema = 'main' AND t.type IN ('table', 'virtual')`,
    )
    .all()
    .map(({ column }) => String(column));

/** The columns that a new database has. */
function currentColumns(): readonly string[] {
  const database = new DatabaseSync(':memory:');
  try {
    addSearchFunctions(database);
    for (const { sql } of migrations) database.exec(sql);
    return columnsOf(database);
  } finally {
    database.close();
  }
}

/**
 * SQLite fails at once, without its timeout, while another process switches the same new database: waiting with its
 * lock held could be a deadlock. So this lets go of the lock and tries again.
 */
async function enterWalMode(database: DatabaseSync): Promise<void> {
  const untilMs = performance.now() + openingTimeoutMs;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!hasResultCode(error, lockedCodes) || performance.now() >= untilMs) throw error;
      await sleep(retryMs);
    }
  }
}

const pragma = (database: DatabaseSync, name: 'user_version' | 'application_id'): number =>
  Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);

export const versionOf = (database: DatabaseSync): number => pragma(database, 'user_version');

const isOurs = (database: DatabaseSync): boolean => pragma(database, 'application_id') === applicationId;

/** Throws `data/unreleased` for a database with a version of some schema but not this one. */
export function refuseForeignSchema(database: DatabaseSync, path: string): void {
  if (versionOf(database) === 0 || isOurs(database)) return;
  throw new AppError('data/unreleased', `${path} has a schema from before version 1`, { facts: { name: path } });
}

const latestOf = (known: readonly Migration[]): number => known.at(-1)?.version ?? 0;

const backupPath = (path: string, version: number): string => `${path}.before-${version + 1}`;

/** The latest backup of a version that is known; undefined if there is none. */
const findBackup = (path: string, known: readonly Migration[]): string | undefined =>
  known.map(({ version }) => backupPath(path, version)).findLast((backup) => existsSync(backup));

function newerError(path: string, found: number, known: readonly Migration[]): AppError {
  const latest = latestOf(known);
  const backup = findBackup(path, known);
  return new AppError('data/newer', `${path} has version ${found}, this Timbre knows ${latest}`, {
    facts: { name: path, found, known: latest, ...(backup !== undefined && { backup }) },
  });
}

/**
 * Throws `data/newer` without changing a byte. Needs a connection of its own: when the last one that may write closes, it
 * empties the log into the database.
 */
function refuseNewer(path: string, known: readonly Migration[]): void {
  const found = readVersion(path);
  if (found > latestOf(known)) throw newerError(path, found, known);
}

/** Zero for a file that is missing, cannot be read or has another schema: opening it to write tells why. */
function readVersion(path: string): number {
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(path);
    return isOurs(database) ? versionOf(database) : 0;
  } catch {
    return 0;
  } finally {
    database?.close();
  }
}

/** Copies the database to a file named after the version it precedes. The copy appears complete or not at all. */
async function backUp(database: DatabaseSync, path: string, version: number): Promise<void> {
  const target = backupPath(path, version);
  const part = `${target}.${randomUUID()}.part`;
  try {
    await backup(database, part);
    await syncFile(part);
    await rename(part, target);
    await withFolder(dirname(path), (folder) => folder.sync());
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Runs the missing migrations. Each shares one transaction with its version number, so that a crash leaves the
 * database before or after it. Backs up existing data first. Safe in several processes at once, because the
 * version is checked under the write lock.
 */
async function migrate(database: DatabaseSync, path: string, known: readonly Migration[]): Promise<void> {
  const latest = latestOf(known);
  const found = versionOf(database);
  // Another process may have migrated it meanwhile.
  if (found > latest) throw newerError(path, found, known);
  if (found === latest) return;
  if (found > 0) await backUp(database, path, found);
  for (const { version, sql } of known) {
    transaction(database, () => {
      if (versionOf(database) >= version) return;
      database.exec(sql);
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
    });
  }
}
