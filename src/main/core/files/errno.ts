import { constants } from 'node:os';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';

const numbers: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno).map(([name, number]) => [number, name]),
);

/** The system's word for what went wrong (`ENOSPC`), or undefined where it was not the system. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  // Node has no word for some, EDQUOT among them: there the code is "Unknown system error -122".
  if (!/^E[A-Z0-9]+$/.test(String(error.code)) && 'errno' in error)
    return numbers.get(-Number(error.errno)) ?? 'UNKNOWN';
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
  // A file stands where the folder should be made.
  ['EEXIST', 'output/not-writable'],
  ['EMFILE', 'system/too-many-files'],
  ['ENFILE', 'system/too-many-files'],
]);

/** Names what the file system did. What it did not do, a defect of ours or a refusal of the caller's, passes as it is. */
export function outputError(error: unknown, folder: string): unknown {
  const code = errnoOf(error);
  if (code === undefined) return error;
  return new AppError(codes.get(code) ?? 'output/failed', `${folder}: ${code}`, {
    cause: error,
    facts: { folder, reason: code },
  });
}

/** For a caller that knows that `neededBytes` do not fit; `reason` is the system's word, where it was the system that said so. */
export const diskFull = (folder: string, neededBytes: number, reason?: string): AppError =>
  new AppError('output/disk-full', `${folder}: ${neededBytes} bytes do not fit`, {
    facts: { folder, neededBytes, ...(reason !== undefined && { reason }) },
  });

/** Does work in a folder; errors of the file system come out as `AppError` with that folder. */
export async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw outputError(error, folder);
  }
}

/** The system's name for what went wrong (`ENOENT`), if the error has one. */
export const systemCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** Nothing is at that path. */
export const isNotFound = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');

export const isForbidden = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(systemCode(error) ?? '');

/** Too many files are open, here or on the whole machine. Passes by itself. */
export const isOutOfHandles = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(systemCode(error) ?? '');
