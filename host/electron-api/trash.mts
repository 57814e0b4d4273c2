import { cp, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';

export interface TrashDeps {
  /** The user's trash, `$XDG_DATA_HOME/Trash`. */
  readonly directory: string;
  readonly now: () => Date;
}

/** The trash directory of the user, from the environment. */
export function userTrash(env: Readonly<Record<string, string | undefined>>): string {
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local/share'), 'Trash');
}

/**
 * Moves a file or folder to the trash as in the XDG trash specification 1.0 (home trash only; files on other file systems
 * are copied there). Throws `Failed to move item to trash` if the path does not exist.
 */
export async function moveToTrash(path: string, { directory, now }: TrashDeps): Promise<void> {
  const source = resolve(path);
  await lstat(source).catch((cause: unknown) => {
    throw new Error('Failed to move item to trash', { cause });
  });
  await mkdir(join(directory, 'files'), { recursive: true, mode: 0o700 });
  await mkdir(join(directory, 'info'), { recursive: true, mode: 0o700 });
  const address = source.split('/').map(encodeURIComponent).join('/');
  const info = `[Trash Info]\nPath=${address}\nDeletionDate=${localTime(now())}\n`;
  const target = join(directory, 'files', await reserveName(directory, basename(source), info));
  try {
    await rename(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await cp(source, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    await rm(source, { recursive: true });
  }
}

/** Reserves a free name by creating its info file, as the specification requires. */
async function reserveName(directory: string, wanted: string, info: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const name = attempt === 1 ? wanted : `${wanted}.${attempt}`;
    try {
      await writeFile(join(directory, 'info', `${name}.trashinfo`), info, { flag: 'wx' });
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** `2026-11-20T19:24:09` in local time, as the specification requires. */
function localTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
