import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isNotFound } from './errno.ts';
import { fileStampAt } from './identity.ts';
import { removeName, temporaryPathOf } from './publish.ts';

/** The temporary files of this process in folders of the user, where nothing else would remove them after a kill. */
export interface TemporaryFiles {
  /** Calls `work` with a new id, under which it may have a file in the folder: see `temporaryPathOf`. */
  use<T>(folder: string, work: (id: string) => Promise<T>): Promise<T>;
  /** Removes those that killed processes left, as far as their disks can be written now. */
  sweep(): Promise<void>;
}

interface Dependencies {
  /** Holds a record of each. Is made when the first is. */
  readonly folder: string;
  /** Of this process, a UUID. */
  readonly owner: string;
  isAlive(owner: string): boolean;
}

const recordName = /^([0-9a-f-]{36})-[0-9a-f-]{36}$/;

export function createTemporaryFiles({ folder: records, owner, isAlive }: Dependencies): TemporaryFiles {
  async function record(id: string, folder: string): Promise<void> {
    await mkdir(records, { recursive: true, mode: 0o700 });
    await writeFile(join(records, id), temporaryPathOf(folder, id), { flag: 'wx', mode: 0o600 });
  }

  /** Only a file with a name of that process is removed. */
  async function removeLeft(id: string): Promise<void> {
    const path = await readFile(join(records, id), 'utf8');
    const isOurs = isAbsolute(path) && basename(path) === basename(temporaryPathOf(dirname(path), id));
    if (isOurs && (await fileStampAt(path))?.isFile) await removeName(path);
    await removeName(join(records, id));
  }

  async function sweep(): Promise<void> {
    const names = await readdir(records).catch((error: unknown) => {
      if (isNotFound(error)) return [];
      throw error;
    });
    for (const name of names) {
      const left = recordName.exec(name)?.[1];
      if (left !== undefined && !isAlive(left)) await removeLeft(name).catch(() => undefined);
    }
  }

  let swept: Promise<void> | undefined;

  return {
    async use(folder, work) {
      // A command does so only here: most write nothing in this way.
      await (swept ??= sweep().catch(() => undefined));
      const id = `${owner}-${randomUUID()}`;
      // A full disk of the data must not keep the user from saving on another.
      await record(id, folder).catch(() => undefined);
      try {
        return await work(id);
      } finally {
        await removeName(join(records, id)).catch(() => undefined);
      }
    },
    sweep,
  };
}
