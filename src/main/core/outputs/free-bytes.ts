import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, inFolder } from './output-error.ts';

/** A disk, and how many bytes this user may still write to it. */
export interface Space {
  readonly freeBytes: number;
  readonly device: bigint;
}

/** Space where the folder is or will be: of the nearest folder above it that exists. */
export function spaceAt(folder: string): Promise<Space> {
  return inFolder(folder, async () => {
    for (let path = resolve(folder); ; path = dirname(path)) {
      try {
        const [{ bavail, bsize }, { dev }] = await Promise.all([statfs(path), stat(path, { bigint: true })]);
        return { freeBytes: bavail * bsize, device: dev };
      } catch (error) {
        const code = codeOf(error);
        if ((code !== 'ENOENT' && code !== 'ENOTDIR') || path === dirname(path)) throw error;
      }
    }
  });
}

export const freeBytes = async (folder: string): Promise<number> => (await spaceAt(folder)).freeBytes;
