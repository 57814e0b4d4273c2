import { closeSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { StoredRow } from './columns.ts';
import { isDamage } from './sqlite.ts';

/** https://www.sqlite.org/fileformat2.html#b_tree_pages */
const tableLeaf = 0x0d;
const pageSizeAt = 16;
const cellCountAt = 3;
const firstCellAt = 8;

/** Reads a varint of one to nine bytes. `end` is the offset after it. */
function readVarint(page: Buffer, at: number): readonly [value: number, end: number] {
  let value = 0;
  for (let k = 0; k < 8; k += 1) {
    const byte = page.readUInt8(at + k);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + k + 1];
  }
  return [value * 256 + page.readUInt8(at + 8), at + 9];
}

/** Rowid and column count of the first row on a page; undefined if it is not a table leaf. */
function firstRowOf(page: Buffer): { readonly rowid: number; readonly width: number } | undefined {
  if (page[0] !== tableLeaf || page.readUInt16BE(cellCountAt) === 0) return undefined;
  try {
    const [, afterLength] = readVarint(page, page.readUInt16BE(firstCellAt));
    const [rowid, header] = readVarint(page, afterLength);
    const [headerBytes, types] = readVarint(page, header);
    let width = 0;
    for (let at = types; at < header + headerBytes; width += 1) [, at] = readVarint(page, at);
    return { rowid, width };
  } catch {
    // A pointer leads beyond the end of the page.
    return undefined;
  }
}

/** Yields page numbers of table leaves with `width` columns, except those whose first row is known. */
function* leavesOf(path: string, width: number, isKnown: (rowid: number) => boolean): Generator<number> {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(pageSizeAt + 2);
    readSync(file, head, 0, head.length, 0);
    // The header stores 65,536 as 1.
    const page = Buffer.alloc(head.readUInt16BE(pageSizeAt) === 1 ? 65_536 : head.readUInt16BE(pageSizeAt));
    for (
      let number = 2;
      readSync(file, page, 0, page.length, (number - 1) * page.length) === page.length;
      number += 1
    ) {
      const first = firstRowOf(page);
      if (first?.width === width && !isKnown(first.rowid)) yield number;
    }
  } finally {
    closeSync(file);
  }
}

interface LeafTable {
  readonly table: string;
  /** Number of columns; must be unique in the database, because it identifies the table's pages. */
  readonly width: number;
  isKnown(rowid: number): boolean;
}

/**
 * Reads the rows of a table whose interior pages are bad, so that nothing leads to its leaves. Searches every page
 * for leaves and reads each as if it were the whole table. `path` must be a copy of the damaged file, because
 * this changes it.
 */
export function* readLeaves(path: string, { table, width, isKnown }: LeafTable): Generator<StoredRow> {
  const database = new DatabaseSync(path, { defensive: false });
  try {
    // Must come first: otherwise SQLite refuses a file that is shorter than its header says.
    database.exec('PRAGMA writable_schema = ON; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    // Keeps only this table, because SQLite reloads the schema for each leaf.
    database.prepare("DELETE FROM sqlite_schema WHERE type <> 'table' OR name <> ?").run(table);
    for (const leaf of leavesOf(path, width, isKnown)) {
      database.prepare('UPDATE sqlite_schema SET rootpage = ?').run(leaf);
      database.exec('PRAGMA writable_schema = RESET; PRAGMA writable_schema = ON');
      try {
        yield* database.prepare(`SELECT * FROM "${table}"`).all();
      } catch (error) {
        if (!isDamage(error)) throw error;
      }
    }
  } finally {
    database.close();
  }
}
