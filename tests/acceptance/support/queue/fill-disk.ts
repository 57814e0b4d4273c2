import { writeFile } from 'node:fs/promises';

/** Writes into a file until nothing more fits on its disk. */
export async function fillDisk(path: string): Promise<void> {
  for (let bytes = 8 * 1024 ** 2; bytes >= 512; bytes /= 2) {
    await writeFile(path, Buffer.alloc(bytes), { flag: 'a' }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    });
  }
}
