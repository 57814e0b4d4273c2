import { open, type FileHandle } from 'node:fs/promises';
import { AppError } from '../../../shared/app-error.ts';

/** Opens a recording to be sent. Throws `input/missing` and `input/unreadable`. */
export async function openSource(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new AppError(missing ? 'input/missing' : 'input/unreadable', `cannot open ${path}`, { cause: error });
  }
}
