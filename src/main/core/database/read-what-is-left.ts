import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { isDamage } from './damage.ts';

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
