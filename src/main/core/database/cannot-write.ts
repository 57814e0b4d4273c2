/** SQLITE_BUSY, LOCKED, READONLY, IOERR, FULL and CANTOPEN: https://www.sqlite.org/rescode.html */
const passingCodes: readonly number[] = [5, 6, 8, 10, 13, 14];

/** True where the database cannot be written just now: its disk is full or away, or another process holds it. */
export const cannotWrite = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  passingCodes.includes(error.errcode & 0xff);
