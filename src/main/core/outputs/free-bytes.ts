import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, inFolder } from './output-error.ts';

/** Bytes that this user may still write where the folder is or will be: of the nearest folder above it that exists. */
export function freeBytes(folder: string): Promise<number> {
  return inFolder(folder, async () => {
    for (let path = resolve(folder); ; path = dirname(path)) {
      try {
        const { bavail, bsize } = await statfs(path);
        return bavail * bsize;
      } catch (error) {
        const code = codeOf(error);
        if ((code !== 'ENOENT' && code !== 'ENOTDIR') || path === dirname(path)) throw error;
      }
    }
  });
}
