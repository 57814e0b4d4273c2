// Damages a database that others have open, as a failing disk does.
import { open, readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

const pageBytes = 4096;
/** Readers hold the log for moments only. */
const patienceMs = 30_000;

/** Empties the write-ahead log, so that the file itself is what every process reads next. */
function emptyLog(database: DatabaseSync): void {
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
  if (busy !== 0) throw new Error('the log of the database is in use');
}

async function overwrite(path: string, fromByte: number, bytes: number): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(Buffer.alloc(bytes, 0xa5), 0, bytes, fromByte);
}

/** Overwrites the file from this byte to its end, or to before another. Returns what it was. */
export async function damageDatabase(path: string, fromByte = pageBytes, toByte = Infinity): Promise<Buffer> {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  emptyLog(database);
  database.close();
  const intact = await readFile(path);
  await overwrite(path, fromByte, Math.min(toByte, intact.length) - fromByte);
  return intact;
}

/** Overwrites the first page of a table or an index. */
export async function damageRootPage(path: string, name: string): Promise<void> {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  const { rootpage } = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) ?? {};
  emptyLog(database);
  database.close();
  await overwrite(path, (Number(rootpage) - 1) * pageBytes, pageBytes);
}
