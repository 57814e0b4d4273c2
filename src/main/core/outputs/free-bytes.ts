import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, inFolder } from './output-error.ts';
import { makeTemporary, removeName, temporaryPathOf } from './temporary-file.ts';

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

const pieceBytes = 1024 ** 2;
const mostTriedBytes = 256 * pieceBytes;

/** Whether so much can be written there, found out by writing it: no system tells how much a user's quota leaves. */
export async function takesBytes(folder: string, bytes: number): Promise<boolean> {
  const path = temporaryPathOf(folder, 'room');
  const piece = Buffer.alloc(pieceBytes);
  try {
    await using file = await makeTemporary(path);
    // Without a name it goes with the process, too.
    await removeName(path);
    for (let left = Math.min(bytes, mostTriedBytes); left > 0; left -= pieceBytes) {
      await file.writeFile(left < pieceBytes ? piece.subarray(0, left) : piece);
    }
    await file.sync();
    return true;
  } catch {
    return false;
  }
}
