import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inFolder } from './errno.ts';
import { withFolder } from './folders.ts';
import { removeName, temporaryPathOf } from './publish.ts';

/** Moves a file to a path unless something is there. The name is reserved first, as no system call does both everywhere. */
async function renameToNew(from: string, path: string): Promise<void> {
  const reserved = await open(path, 'wx');
  await reserved.close();
  try {
    await rename(from, path);
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes a file that the user chose, which appears once it is complete and on disk. `replace` replaces an older one; `keep` throws
 * `output/not-writable` with the reason `EEXIST`. `write` creates it at the path that it is given, which has the id in its name.
 * Throws `output/…`, and what `write` throws.
 */
export function writeChosenFile(
  path: string,
  write: (part: string) => Promise<void>,
  existing: 'replace' | 'keep',
  id: string = randomUUID(),
): Promise<void> {
  const folder = dirname(path);
  const part = temporaryPathOf(folder, id);
  return inFolder(folder, async () => {
    try {
      await write(part);
      const file = await open(part, 'r+');
      await file.sync().finally(() => file.close());
      await (existing === 'replace' ? rename : renameToNew)(part, path);
    } catch (error) {
      await removeName(part).catch(() => undefined);
      throw error;
    }
    await withFolder(folder, ({ sync }) => sync());
  });
}

export const replaceFile = (path: string, write: (part: string) => Promise<void>): Promise<void> =>
  writeChosenFile(path, write, 'replace');

export const replaceText = (path: string, text: string): Promise<void> =>
  replaceFile(path, (part) => writeFile(part, text, { flag: 'wx' }));
