import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every way in which a text is commonly written: as it is, in an address, in base64 at each of its three offsets, in hex. */
export function formsOf(secret: string): readonly string[] {
  const shifted = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    // The first and last characters depend on the neighbouring bytes.
    return bytes
      .toString('base64')
      .replace(/=+$/, '')
      .slice(Math.ceil((offset * 8) / 6), -1);
  });
  const inAddresses = shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [secret, encodeURIComponent(secret), ...shifted, ...inAddresses, Buffer.from(secret).toString('hex')];
}

export const holds = (bytes: Buffer, secrets: readonly string[]): boolean =>
  secrets.flatMap(formsOf).some((form) => bytes.includes(form));

/** Files in and below a folder that hold any of them. */
export async function filesWith(folder: string, secrets: readonly string[]): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(paths.map(async (path) => holds(await readFile(path), secrets)));
  return paths.filter((_, k) => found[k]);
}

/** Fields of `/proc/<pid>/stat` from the third on: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(pid: number | string): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** `PF_FORKNOEXEC` of Linux: until a new process begins its own program it shows arguments and environment of its parent. */
const forkedOnly = 0x40;
const runsItsProgram = (pid: number) => (Number(statOf(pid)[6]) & forkedOnly) === 0;

/** Children of a process, and theirs. */
function descendants(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), parent: Number(statOf(name)[1]) }];
      } catch {
        return [];
      }
    });
  const below = (id: number): readonly number[] =>
    parents.filter(({ parent }) => parent === id).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(pid);
}

export interface ProcessSight {
  /** Processes that were looked at: the first one and all below it. */
  readonly seen: ReadonlySet<number>;
  readonly found: readonly string[];
}

/**
 * Looks at arguments and environment of a process and of all that it started. Its own environment is left out: that is where a command
 * is given its token.
 */
export function processesWith(pid: number, secrets: readonly string[]): ProcessSight {
  const seen = [pid, ...descendants(pid)];
  const found: string[] = [];
  for (const id of seen) {
    for (const name of id === pid ? ['cmdline'] : ['cmdline', 'environ']) {
      try {
        if (id !== pid && !runsItsProgram(id)) continue;
        if (holds(readFileSync(`/proc/${id}/${name}`), secrets)) found.push(`/proc/${id}/${name}`);
      } catch {
        // It has ended since.
      }
    }
  }
  return { seen: new Set(seen), found };
}
