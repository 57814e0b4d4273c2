import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, parse, sep } from 'node:path';
import { fileIdentityOf, hasInode } from './identity.ts';
import { nameKey } from './names.ts';

/** The name in other letters. Those that become two, such as `ß`, stay: no disk takes `ss` for them. */
function inOtherCase(name: string): string {
  const change = (to: (letter: string) => string) =>
    name.replace(/./gsu, (letter) => (to(letter).length === letter.length ? to(letter) : letter));
  const upper = change((letter) => letter.toUpperCase());
  return upper === name ? change((letter) => letter.toLowerCase()) : upper;
}

/** The name as its folder lists it, also if the disk ignores case. */
async function listedName(folder: string, name: string): Promise<string> {
  const other = inOtherCase(name);
  // Nearly always, a disk on which case counts has no such file, and there is nothing to list.
  if (other === name || !(await lstat(join(folder, other)).catch(() => null))) return name;
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes(name)) return name;
  return names.find((listed) => nameKey(listed) === nameKey(name)) ?? name;
}

/**
 * The path of a file or folder without links, in the spelling of its disk, so that two paths of the same folder are equal.
 * `realpath` gives this spelling on Windows and macOS, and on Linux that of its argument. Rejects as it does.
 */
export async function canonicalPath(path: string): Promise<string> {
  const real = await realpath(path);
  if (process.platform !== 'linux') return real;
  let canonical = parse(real).root;
  for (const name of real.split(sep).filter((part) => part !== ''))
    canonical = join(canonical, await listedName(canonical, name));
  return canonical;
}

/** Names a folder: equal for all paths to it, through links, in other letters or through another mount of its disk. */
export async function folderKey(folder: string): Promise<string> {
  const canonical = await canonicalPath(folder).catch(() => folder);
  const stats = await stat(canonical, { bigint: true }).catch(() => null);
  const identity = stats && fileIdentityOf(stats);
  return identity && hasInode(identity) ? `${identity.device} ${identity.inode}` : canonical;
}

/** Names the entry of a folder that a path leads to: equal for a file however it is reached, but not for two hard links. */
export async function entryKey(path: string): Promise<string> {
  const canonical = await canonicalPath(path).catch(() => path);
  return `${await folderKey(dirname(canonical))} ${basename(canonical)}`;
}
