import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/app-error.ts';
import { makeFolder } from '../outputs/output-folder.ts';
import { isDamage } from './damage.ts';
import { addSearchFunctions } from '../library/search-functions.ts';
import { migrate } from './migrate.ts';
import { migrations, type Migration } from './migrations.ts';

export const databaseName = 'timbre.db';

/** A migration of another process may take seconds. */
const openingTimeoutMs = 10_000;
/** Writes take a few milliseconds. One that waits longer than this for another process blocks the window: the write gate retries it. */
export const busyTimeoutMs = 1000;

/**
 * Opens the one database of a data folder, which any number of processes may do at once, and brings it to the present schema.
 * WAL lets them read while one writes; FULL makes a commit survive a power cut, which is what the journal promises; what is deleted is
 * overwritten, because the signed address of a result is a secret (see `emptyLog` for the log). Errors:
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
