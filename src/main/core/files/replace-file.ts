import { randomUUID } from 'node:crypto';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { inFolder } from './errno.ts';
import { withFolder } from './folders.ts';
import { fileStampAt } from './identity.ts';
import { publishTemporary, removeName, temporaryPathOf } from './publish.ts';

/** Resolves once the bytes of a file are on disk. */
export async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
}

/** Gives a finished file its name unless that is taken. */
async function publishAs(temporaryPath: string, path: string): Promise<void> {
  const folder = dirname(path);
  const stamp = await fileStampAt(temporaryPath);
  if (!stamp) throw new Error(`${temporaryPath} is gone`);
  await publishTemporary(
    { folder, temporaryPath, identity: stamp.identity },
    {
      pathFor(attempt) {
        if (attempt > 1)
          throw new AppError('output/not-writable', `${path} exists`, { facts: { folder, reason: 'EEXIST' } });
        return path;
      },
      onReserve: () => undefined,
    },
  );
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
      await syncFile(part);
      await (existing === 'replace' ? rename : publishAs)(part, path);
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
