import { DatabaseSync } from 'node:sqlite';

/** SQLITE_CORRUPT and SQLITE_NOTADB: https://www.sqlite.org/rescode.html */
const damageCodes: readonly unknown[] = [11, 26];

/** True where SQLite could not make sense of its file, as opposed to not getting at it. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  damageCodes.includes(error.errcode & 0xff);

/** Reads every page of a database and says what is wrong with the first bad one; null where all are sound. It takes seconds. */
export function findDamage(path: string): string | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const found = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    return found === 'ok' ? null : String(found);
  } catch (error) {
    if (isDamage(error)) return String(error);
    throw error;
  } finally {
    database?.close();
  }
}
