import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes an executable shell script and returns its path. */
export async function writeProgram(folder: string, lines: string, name = 'hook.sh'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, 0o755);
  return path;
}
