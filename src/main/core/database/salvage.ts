import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import { withFolder } from '../files/folders.ts';
import { syncFile } from '../files/replace-file.ts';
import type { StoredRow } from './columns.ts';
import { databaseName, openDatabase, refuseForeignSchema, versionOf } from './database.ts';
import { readLeaves } from './salvage-pages.ts';
import { migrations } from './schema.ts';
import { isDamage, transaction } from './sqlite.ts';

/** The outcome of repairing a damaged database. */
export interface Salvage {
  /** Number of jobs that could be read. */
  readonly jobs: number;
  /** Number of jobs that could not be read; null if the newest may be among them, which leave no gap in the numbers. */
  readonly lostJobs: number | null;
  /** Path of the damaged file, beside the new one. */
  readonly keptAs: string;
}

/**
 * Replaces a damaged database with a new one that has every readable row, and keeps the damaged file beside it.
 * A crash leaves either of them in place. If not even the first page is readable, the new one is empty. Throws
 * `data/in-use` while another process has the database open, and `data/unreleased` like `openDatabase`.
 */
export async function salvageDatabase(folder: string, now: number): Promise<Salvage> {
  const path = join(folder, databaseName);
  const keptAs = `${path}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
  const work = join(folder, `salvage-${randomUUID()}`);
  await mkdir(work);
  try {
    let counts: Pick<Salvage, 'jobs' | 'lostJobs'> = { jobs: 0, lostJobs: null };
    try {
      counts = await readInto(path, work);
    } catch (error) {
      if (!isDamage(error)) throw error;
      await rm(work, { recursive: true });
      (await openDatabase(work, [])).close();
    }
    const fresh = join(work, databaseName);
    await syncFile(fresh);
    // Some file systems have no hard links.
    await link(path, keptAs).catch(() => copyFile(path, keptAs, constants.COPYFILE_EXCL));
    // SQLite would apply an old log to the new database.
    for (const end of ['-wal', '-shm']) await rename(path + end, keptAs + end).catch(ignoreMissing);
    await rename(fresh, path);
    await withFolder(folder, (opened) => opened.sync());
    return { ...counts, keptAs };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const batchSize = 200;
const maxRowid = Number.MAX_SAFE_INTEGER;

const quoted = (name: string) => `"${name}"`;

/** Returns the result of `read`, or undefined if it hits damage. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/**
 * Reads rows by rowid. A bad page hides its rows; the rows after it are found by querying higher rowids. Uses
 * `>=`, because `>` would visit the previous row, which may be on the bad page.
 */
function* readByRowid(database: DatabaseSync, table: string, rowid: string, onBad: () => void): Generator<StoredRow> {
  const select = database.prepare(`SELECT * FROM ${quoted(table)} WHERE ${rowid} >= ? ORDER BY ${rowid} LIMIT ?`);
  const read = (from: number, limit: number) => unlessDamaged(() => select.all(from, limit));

  /** Finds the lowest readable rowid after `from`: exponential, then binary search. */
  function skipDamage(from: number): number {
    let step = 1;
    while (from + step < maxRowid && !read(from + step, 1)) step *= 2;
    let [bad, good] = [Math.floor(step / 2), step];
    while (good - bad > 1) {
      const middle = Math.floor((bad + good) / 2);
      if (read(from + middle, 1)) good = middle;
      else bad = middle;
    }
    return from + good;
  }

  let from = 1;
  while (from < maxRowid) {
    const rows = read(from, batchSize) ?? read(from, 1);
    if (!rows) {
      onBad();
      from = skipDamage(from);
      continue;
    }
    if (rows.length === 0) return;
    yield* rows;
    from = Number(rows.at(-1)?.[rowid]) + 1;
  }
}

/** Reads rows in key order from both ends, up to the first damage. May yield a row twice. */
function* readFromBothEnds(database: DatabaseSync, table: string, keys: readonly string[]): Generator<StoredRow> {
  for (const direction of ['ASC', 'DESC']) {
    const order = keys.map((key) => `${quoted(key)} ${direction}`).join(', ');
    const rows = unlessDamaged(() => database.prepare(`SELECT * FROM ${quoted(table)} ORDER BY ${order}`).iterate());
    for (;;) {
      const next = unlessDamaged(() => rows?.next());
      if (!next) break;
      if (next.done) return;
      yield next.value;
    }
  }
}

/** The key of a table: one integer, or several columns. */
interface TableKey {
  readonly table: string;
  readonly columns: readonly string[];
  readonly isNumber: boolean;
}

/** Reads the key of a table from an undamaged database. */
function keyOf(database: DatabaseSync, table: string): TableKey {
  const columns = database.prepare('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk').all(table);
  const keys = columns.filter(({ pk }) => pk !== 0);
  const isNumber = keys.length === 1 && keys[0]?.['type'] === 'INTEGER';
  return { table, isNumber, columns: (keys.length > 0 ? keys : columns).map(({ name }) => String(name)) };
}

/** Reads all rows that are still reachable. Calls `onBad` for each damaged range of a table with an integer key. */
function* readReachableRows(
  database: DatabaseSync,
  { table, columns, isNumber }: TableKey,
  onBad: () => void,
): Generator<StoredRow> {
  const isKnown = unlessDamaged(() => database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table));
  const [key] = columns;
  if (!isKnown || key === undefined) return;
  yield* isNumber ? readByRowid(database, table, key, onBad) : readFromBothEnds(database, table, columns);
}

/** Tables that triggers fill from the others. */
const derivedTables: ReadonlySet<string> = new Set(['history_entry', 'history_change', 'baseline_total']);

/** The user's annotations of jobs, and their origin. The triggers that add a job to history read these tables. */
const annotationTables: ReadonlySet<string> = new Set([
  'history_favourite',
  'history_origin',
  'history_removed',
  'history_tag',
]);

/** Tables that a job refers to, or that its triggers read, come before the jobs; tables that refer to jobs after. */
const copyOrder = (table: string): number =>
  table === 'connection_document' || table.startsWith('watch') || annotationTables.has(table)
    ? 0
    : table === 'job'
      ? 1
      : 2;

function tablesOf(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return rows
    .map(({ name }) => String(name))
    .filter((name) => !derivedTables.has(name))
    .sort((a, b) => copyOrder(a) - copyOrder(b) || (a < b ? -1 : 1));
}

/** Copies the rows that the schema accepts; the others are garbage that looked like rows. */
function copyRows(rows: Iterable<StoredRow>, to: DatabaseSync, table: string): void {
  const known = to.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  const generated = to.prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 0').all(table);
  const hidden = new Set(generated.map(({ name }) => name));
  const columns = known.map(({ name }) => String(name)).filter((name) => !hidden.has(name));
  const insert = to.prepare(
    `INSERT OR IGNORE INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows) {
    try {
      insert.run(...columns.map((column) => row[column] ?? null));
    } catch {
      // Not a row of this table.
    }
  }
}

/** Removes annotations of lost jobs, because a new job may get the same number. */
function dropAnnotationsOfLostJobs(database: DatabaseSync, table: string): void {
  database.exec(`DELETE FROM "${table}" WHERE job NOT IN (SELECT number FROM job)`);
}

function countJobs(database: DatabaseSync, isComplete: boolean): Pick<Salvage, 'jobs' | 'lostJobs'> {
  const row = database.prepare('SELECT count(*) AS jobs, coalesce(max(number), 0) AS last FROM job').get();
  const jobs = Number(row?.['jobs']);
  // Jobs are numbered without gaps and never deleted.
  const gaps = Number(row?.['last']) - jobs;
  return { jobs, lostJobs: gaps > 0 || isComplete ? gaps : null };
}

/** Opens a database exclusively and merges its log into the file. Throws `data/in-use` if it is open elsewhere. */
function openExclusive(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0, defensive: false });
  try {
    // Otherwise SQLite refuses a file that is shorter than its header says.
    database.exec('PRAGMA writable_schema = ON; PRAGMA locking_mode = EXCLUSIVE');
    const mode = database.prepare('PRAGMA journal_mode = DELETE').get()?.['journal_mode'];
    if (mode !== 'delete') throw new AppError('data/in-use', `${path} is open elsewhere`, { facts: { name: path } });
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof AppError || isDamage(error)) throw error;
    throw new AppError('data/in-use', `${path}: ${String(error)}`, { facts: { name: path }, cause: error });
  }
}

/** Creates an empty database at a schema version, runs `work`, and closes it as a single file that can be renamed. */
async function withFresh<T>(
  folder: string,
  version: number,
  work: (fresh: DatabaseSync) => T | Promise<T>,
): Promise<T> {
  const fresh = await openDatabase(
    folder,
    migrations.filter((each) => each.version <= version),
  );
  try {
    // Only for the copy: a good row may refer to one on a bad page.
    fresh.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF');
    const result = await work(fresh);
    fresh.exec('PRAGMA journal_mode = DELETE');
    return result;
  } finally {
    fresh.close();
  }
}

/** Copies all reachable rows and returns the tables that have unreachable ones. */
function copyReachable(damaged: DatabaseSync, fresh: DatabaseSync): readonly string[] {
  const bad = new Set<string>();
  for (const table of tablesOf(fresh)) {
    const rows = readReachableRows(damaged, keyOf(fresh, table), () => bad.add(table));
    transaction(fresh, () => copyRows(rows, fresh, table));
  }
  return [...bad];
}

/** Number of stored columns of each table, including shadow tables. */
function widthsOf(database: DatabaseSync): ReadonlyMap<string, number> {
  const rows = database
    .prepare("SELECT name, ncol FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'")
    .all();
  return new Map(rows.map(({ name, ncol }) => [String(name), Number(ncol)]));
}

/** Copies rows from leaf pages that no intact page points to, for tables with a unique number of columns. */
async function copyLeaves(path: string, fresh: DatabaseSync, tables: readonly string[], work: string): Promise<void> {
  const widths = widthsOf(fresh);
  for (const table of tables) {
    const width = widths.get(table) ?? 0;
    if ([...widths.values()].filter((each) => each === width).length > 1) continue;
    const copy = join(work, 'copy.db');
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    const select = fresh.prepare(`SELECT 1 FROM "${table}" WHERE rowid = ?`);
    const rows = readLeaves(copy, { table, width, isKnown: (rowid) => select.get(rowid) !== undefined });
    try {
      transaction(fresh, () => copyRows(rows, fresh, table));
    } catch (error) {
      // The schema is unreadable, so only the reachable rows can be saved.
      if (!isDamage(error)) throw error;
    }
    await rm(copy);
  }
}

async function readInto(path: string, work: string): Promise<Pick<Salvage, 'jobs' | 'lostJobs'>> {
  const damaged = openExclusive(path);
  const readReachable = async () => {
    refuseForeignSchema(damaged, path);
    const version = versionOf(damaged);
    return { version, bad: await withFresh(work, version, (fresh) => copyReachable(damaged, fresh)) };
  };
  const { version, bad } = await readReachable().finally(() => damaged.close());
  return withFresh(work, version, async (fresh) => {
    // Only after closing `damaged`: closing another handle of the same file would drop SQLite's POSIX locks.
    await copyLeaves(path, fresh, bad, work);
    for (const table of tablesOf(fresh)) if (annotationTables.has(table)) dropAnnotationsOfLostJobs(fresh, table);
    return countJobs(fresh, !bad.includes('job'));
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
