// Damages a database that others have open, as a failing disk does.
import { open, readFile, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

const pageBytes = 4096;
/** Readers hold the log for moments only. */
const patienceMs = 30_000;

/**
 * Empties the write-ahead log, so that the file itself is what every process reads next. SQLite waits for readers, but refuses at
 * once while another connection moves the log into the file.
 */
async function emptyLog(database: DatabaseSync): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] !== 0) {
    if (performance.now() > giveUpAt) throw new Error('the log of the database is in use');
    await setTimeout(20);
  }
}

async function overwrite(path: string, fromByte: number, bytes: number): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(Buffer.alloc(bytes, 0xa5), 0, bytes, fromByte);
}

/** Overwrites the file from this byte to its end, or to before another. Returns what it was. */
export async function damageDatabase(path: string, fromByte = pageBytes, toByte = Infinity): Promise<Buffer> {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  await emptyLog(database);
  database.close();
  const intact = await readFile(path);
  await overwrite(path, fromByte, Math.min(toByte, intact.length) - fromByte);
  return intact;
}

const logBytes = async (path: string): Promise<number> => (await stat(`${path}-wal`).catch(() => null))?.size ?? 0;

/** Overwrites the first page of a table or an index. Whoever has the database open reads that next, and no page of before. */
export async function damageRootPage(path: string, name: string): Promise<void> {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  const { rootpage } = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) ?? {};
  const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {};
  for (let isEmpty = false; !isEmpty;) {
    await emptyLog(database);
    database.exec('BEGIN IMMEDIATE');
    // Others may have written between the two.
    isEmpty = (await logBytes(path)) === 0;
    if (!isEmpty) database.exec('ROLLBACK');
  }
  await overwrite(path, (Number(rootpage) - 1) * pageBytes, pageBytes);
  // After a commit of another connection, SQLite drops the pages that it holds in memory.
  database.exec(`PRAGMA user_version = ${Number(version)}; COMMIT`);
  database.close();
}
