import { constants } from 'node:os';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';

const namesByNumber: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno).map(([name, number]) => [number, name]),
);

/** Returns the errno name of a system error (`ENOSPC`), or undefined for other errors. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  // Node has no name for some, such as EDQUOT; its code is then "Unknown system error -122".
  if (!/^E[A-Z0-9]+$/.test(String(error.code)) && 'errno' in error)
    return namesByNumber.get(-Number(error.errno)) ?? 'UNKNOWN';
  return String(error.code);
}

const codes: ReadonlyMap<string, ErrorCode> = new Map([
  ['ENOSPC', 'output/disk-full'],
  ['EDQUOT', 'output/disk-full'],
  ['EACCES', 'output/not-writable'],
  ['EPERM', 'output/not-writable'],
  ['EROFS', 'output/not-writable'],
  ['ENOENT', 'output/not-writable'],
  ['ENOTDIR', 'output/not-writable'],
  // A file exists at the folder's path.
  ['EEXIST', 'output/not-writable'],
  ['EMFILE', 'system/too-many-files'],
  ['ENFILE', 'system/too-many-files'],
]);

/**
 * Converts a file system error to `AppError`. Returns other errors (our defects, or the caller's)
 * unchanged.
 */
export function outputError(error: unknown, folder: string): unknown {
  const code = errnoOf(error);
  if (code === undefined) return error;
  return new AppError(codes.get(code) ?? 'output/failed', `${folder}: ${code}`, {
    cause: error,
    facts: { folder, reason: code },
  });
}

/** The error for `neededBytes` that do not fit; `reason` is the errno name if the system reported it. */
export const diskFull = (folder: string, neededBytes: number, reason?: string): AppError =>
  new AppError('output/disk-full', `${folder}: ${neededBytes} bytes do not fit`, {
    facts: { folder, neededBytes, ...(reason !== undefined && { reason }) },
  });

/**
 * The error for a folder that is gone, or whose disk does not answer, with the reason `ETIMEDOUT`. `mountPoint`: where its disk was
 * mounted; null for the system's disk.
 */
export const folderMissing = (folder: string, mountPoint: string | null, reason?: 'ETIMEDOUT'): AppError =>
  new AppError('output/folder-missing', `${folder} is gone`, {
    facts: { folder, ...(mountPoint !== null && { mountPoint }), ...(reason !== undefined && { reason }) },
  });

/** Runs `work` in a folder and converts file system errors to `AppError` with that folder. */
export async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw outputError(error, folder);
  }
}

/** True if nothing exists at the path. */
export const isNotFound = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '');

export const isForbidden = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(errnoOf(error) ?? '');

/** True if the disk, or the user's share of it, is full. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '');

/** True if too many files are open, in this process or on the machine. Temporary. */
export const isOutOfHandles = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(errnoOf(error) ?? '');
