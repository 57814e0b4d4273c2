import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withFolder } from './folders.ts';

/** Writes a file that only this user can read, in whatever folder. It appears complete or not at all. */
export async function writePrivateFile(path: string, content: string | Buffer): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await writeFile(part, content, { flag: 'wx', mode: 0o600, flush: true });
    await rename(part, path);
  } catch (error) {
    // It may hold a token, which nobody would look for here.
    await rm(part, { force: true });
    throw error;
  }
  await withFolder(folder, ({ sync }) => sync());
}
