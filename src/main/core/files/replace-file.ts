import { randomUUID } from 'node:crypto';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inFolder } from './errno.ts';
import { withFolder } from './folders.ts';
import { removeName, temporaryPathOf } from './publish.ts';

/**
 * Writes a file that the user chose, in place of an older one, which stays as it was until the new one is complete and
 * on disk. `write` creates it at the path that it is given, which has the id in its name. Throws `output/…`, and what
 * `write` throws.
 */
export function replaceFile(
  path: string,
  write: (part: string) => Promise<void>,
  id: string = randomUUID(),
): Promise<void> {
  const folder = dirname(path);
  const part = temporaryPathOf(folder, id);
  return inFolder(folder, async () => {
    try {
      await write(part);
      const file = await open(part, 'r+');
      await file.sync().finally(() => file.close());
      await rename(part, path);
    } catch (error) {
      await removeName(part).catch(() => undefined);
      throw error;
    }
    await withFolder(folder, ({ sync }) => sync());
  });
}

export const replaceText = (path: string, text: string): Promise<void> =>
  replaceFile(path, (part) => writeFile(part, text, { flag: 'wx' }));
