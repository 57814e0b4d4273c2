import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lets every user read a folder and all that is in it, and run its programs. Packages keep these modes, which come from the umask of
 * whoever cloned, installed and built.
 *
 * @param {string} folder
 */
export function openToAll(folder) {
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const path = join(folder, name);
    const entry = lstatSync(path);
    if (!entry.isSymbolicLink()) chmodSync(path, entry.isDirectory() || entry.mode & 0o100 ? 0o755 : 0o644);
  }
}
