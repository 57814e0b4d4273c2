import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import { withFolder } from '../files/folders.ts';
import { databaseName, openDatabase } from './database.ts';
import { migrations } from './migrations.ts';
import { readLeaves } from './salvage-pages.ts';
import { isDamage, transaction } from './sqlite.ts';

export type StoredRow = Record<string, SQLOutputValue>;

const atOnce = 200;
const lastRowid = Number.MAX_SAFE_INTEGER;

const quoted = (name: string) => `"${name}"`;

/** What `read` gives; undefined where it runs into damage. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/**
 * By row number: a bad page hides the rows that stand on it, and those behind it are found by asking for higher numbers. By `>=`: a `>`
 * goes by way of the row before, which may stand on the bad page.
 */
function* readByRowid(database: DatabaseSync, table: string, rowid: string, onBad: () => void): Generator<StoredRow> {
  const select = database.prepare(`SELECT * FROM ${quoted(table)} WHERE ${rowid} >= ? ORDER BY ${rowid} LIMIT ?`);
  const read = (from: number, limit: number) => unlessDamaged(() => select.all(from, limit));

  /** The lowest number from which on something can be read again. */
  function behindDamage(from: number): number {
    let step = 1;
    while (from + step < lastRowid && !read(from + step, 1)) step *= 2;
    let [bad, good] = [Math.floor(step / 2), step];
    while (good - bad > 1) {
      const middle = Math.floor((bad + good) / 2);
      if (read(from + middle, 1)) good = middle;
      else bad = middle;
    }
    return from + good;
  }

  let from = 1;
  while (from < lastRowid) {
    const rows = read(from, atOnce) ?? read(from, 1);
    if (!rows) {
      onBad();
      from = behindDamage(from);
      continue;
    }
    if (rows.length === 0) return;
    yield* rows;
    from = Number(rows.at(-1)?.[rowid]) + 1;
  }
}

/** From both ends, as far as it goes. A row may come twice. */
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

/** How a table's rows are told apart: by one whole number, or by what is in these columns. */
export interface TableKey {
  readonly table: string;
  readonly columns: readonly string[];
  readonly isNumber: boolean;
}

/** Reads that off a database whose schema is sound. */
export function keyOf(database: DatabaseSync, table: string): TableKey {
  const columns = database.prepare('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk').all(table);
  const keys = columns.filter(({ pk }) => pk !== 0);
  const isNumber = keys.length === 1 && keys[0]?.['type'] === 'INTEGER';
  return { table, isNumber, columns: (keys.length > 0 ? keys : columns).map(({ name }) => String(name)) };
}

/** Every row of a table that leads somewhere still, whatever page of the file is bad. `onBad` hears of rows by number that do not. */
export function* readWhatIsLeft(
  database: DatabaseSync,
  { table, columns, isNumber }: TableKey,
  onBad: () => void,
): Generator<StoredRow> {
  const isKnown = unlessDamaged(() => database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table));
  const [key] = columns;
  if (!isKnown || key === undefined) return;
  yield* isNumber ? readByRowid(database, table, key, onBad) : readFromBothEnds(database, table, columns);
}

/** What became of a damaged database. */
export interface Salvage {
  /** Jobs that could be read, and those between them that could not. */
  readonly jobs: number;
  readonly lostJobs: number;
  /** The damaged file as it was, beside the new one. */
  readonly keptAs: string;
}

/** Kept by triggers from the other tables. */
const derived: ReadonlySet<string> = new Set(['history_entry', 'history_change']);

/** What a person said of a job, and where it came from: the triggers that enter it into history look there. */
const marks: ReadonlySet<string> = new Set(['history_favourite', 'history_origin', 'history_removed', 'history_tag']);

/** Whatever a job refers to, and what history knows of it, is there before it; what refers to it comes after. */
const turn = (table: string): number =>
  table === 'connection_document' || table.startsWith('watch') || marks.has(table) ? 0 : table === 'job' ? 1 : 2;

function tablesOf(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return rows
    .map(({ name }) => String(name))
    .filter((name) => !derived.has(name))
    .sort((a, b) => turn(a) - turn(b) || (a < b ? -1 : 1));
}

/** Copies rows as far as the schema takes them: any other is garbage that looked like a row. */
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
      // It is none.
    }
  }
}

/** The number of a job that was lost may be given again, to another one. */
function dropMarksOfLostJobs(database: DatabaseSync, table: string): void {
  database.exec(`DELETE FROM "${table}" WHERE job NOT IN (SELECT number FROM job)`);
}

function countJobs(database: DatabaseSync): Pick<Salvage, 'jobs' | 'lostJobs'> {
  const row = database.prepare('SELECT count(*) AS jobs, coalesce(max(number), 0) AS last FROM job').get();
  const jobs = Number(row?.['jobs']);
  // Jobs are numbered without gaps, and never deleted.
  return { jobs, lostJobs: Number(row?.['last']) - jobs };
}

/** Opens it for nobody else, with all that was written before in the one file. */
function openAlone(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0, defensive: false });
  try {
    // Only so does SQLite read a file that is shorter than its first page says.
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

/** Opens the new database, as empty as it was at that version, and closes it as one file, which can be moved. */
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
    // Off for the copy only: a bad page may hide what a good row refers to.
    fresh.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF');
    const result = await work(fresh);
    fresh.exec('PRAGMA journal_mode = DELETE');
    return result;
  } finally {
    fresh.close();
  }
}

const versionOf = (database: DatabaseSync) => Number(database.prepare('PRAGMA user_version').get()?.['user_version']);

/** Copies all that can be reached, and says of which tables something could not. */
function copyReachable(damaged: DatabaseSync, fresh: DatabaseSync): readonly string[] {
  const bad = new Set<string>();
  for (const table of tablesOf(fresh)) {
    const rows = readWhatIsLeft(damaged, keyOf(fresh, table), () => bad.add(table));
    transaction(fresh, () => copyRows(rows, fresh, table));
  }
  return [...bad];
}

/** Columns of each table as they are stored, shadow tables too. */
function widthsOf(database: DatabaseSync): ReadonlyMap<string, number> {
  const rows = database
    .prepare("SELECT name, ncol FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'")
    .all();
  return new Map(rows.map(({ name, ncol }) => [String(name), Number(ncol)]));
}

/** Copies what nothing leads to any more, where a table is known by its width. */
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
      // Its schema cannot be read: what leads somewhere is all there is.
      if (!isDamage(error)) throw error;
    }
    await rm(copy);
  }
}

async function readInto(path: string, work: string): Promise<Pick<Salvage, 'jobs' | 'lostJobs'>> {
  const damaged = openAlone(path);
  const readReachable = async () => {
    const version = versionOf(damaged);
    return { version, bad: await withFresh(work, version, (fresh) => copyReachable(damaged, fresh)) };
  };
  const { version, bad } = await readReachable().finally(() => damaged.close());
  return withFresh(work, version, async (fresh) => {
    // Whoever opens and closes the file beside SQLite takes its locks away: only now.
    await copyLeaves(path, fresh, bad, work);
    for (const table of tablesOf(fresh)) if (marks.has(table)) dropMarksOfLostJobs(fresh, table);
    return countJobs(fresh);
  });
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Puts a new database in the place of a damaged one, with every row that can be read, and keeps the damaged file beside it: nothing is
 * deleted. A kill leaves the damaged one or the new one in its place. Where not even the first page can be read there is nothing to
 * copy, and the new one is empty. Throws `data/in-use` while another process has it open.
 */
export async function salvageDatabase(folder: string, now: number): Promise<Salvage> {
  const path = join(folder, databaseName);
  const keptAs = `${path}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
  const work = join(folder, `salvage-${randomUUID()}`);
  await mkdir(work);
  try {
    let counts = { jobs: 0, lostJobs: 0 };
    try {
      counts = await readInto(path, work);
    } catch (error) {
      if (!isDamage(error)) throw error;
      await rm(work, { recursive: true });
      (await openDatabase(work, [])).close();
    }
    const fresh = join(work, databaseName);
    await sync(fresh);
    // Some file systems know no links.
    await link(path, keptAs).catch(() => copyFile(path, keptAs, constants.COPYFILE_EXCL));
    // A log without its database would be taken for that of the new one.
    for (const end of ['-wal', '-shm']) await rename(path + end, keptAs + end).catch(ignoreMissing);
    await rename(fresh, path);
    await withFolder(folder, (opened) => opened.sync());
    return { ...counts, keptAs };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
