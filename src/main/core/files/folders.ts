import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { errnoOf, inFolder } from './errno.ts';
import { makeTemporary, removeName, temporaryPathOf } from './publish.ts';

/** A folder held open, so that nothing but the disk itself can stand between a new name and its `sync`. */
export interface OutputFolder {
  /** Makes the names in it survive a power cut, where the file system can do that for a folder. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Windows keeps names by its own journal and lets nobody open a folder. */
const withoutSync: OutputFolder = { sync: () => Promise.resolve(), close: () => Promise.resolve() };
/** A folder that may be written to but not read can't be opened; its names are as safe as the system keeps them. */
const notForUs = new Set(['EACCES', 'EPERM']);
const isFull = new Set(['ENOSPC', 'EDQUOT']);
const noFolderSync = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF']);

export async function openFolder(path: string): Promise<OutputFolder> {
  if (process.platform === 'win32') return withoutSync;
  try {
    const handle = await open(path, 'r');
    return {
      async sync() {
        try {
          await handle.sync();
        } catch (error) {
          if (!noFolderSync.has(errnoOf(error) ?? '')) throw error;
        }
      },
      close: () => handle.close(),
    };
  } catch (error) {
    if (notForUs.has(errnoOf(error) ?? '')) return withoutSync;
    throw error;
  }
}

/** Opens a folder, does `work`, closes it. */
export async function withFolder<T>(path: string, work: (folder: OutputFolder) => Promise<T>): Promise<T> {
  const folder = await openFolder(path);
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Makes what is missing of a path, the highest first, and returns it. Each level is tried twice at most: where a system answers ENOENT
 * for a folder whose parent is there, as in /proc, Node's own recursive mkdir tries for ever.
 */
async function makeMissing(path: string, mode: number): Promise<readonly string[]> {
  try {
    await mkdir(path, mode);
    return [path];
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) {
      if (await isFolder(path)) return [];
      throw error;
    }
  }
  const above = await makeMissing(dirname(path), mode);
  try {
    await mkdir(path, mode);
    return [...above, path];
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (await isFolder(path)) return above;
    throw error;
  }
}

/** Makes a folder and those above it. Each that is new has its name made safe too: a result in a lost folder is lost. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const made = await makeMissing(resolve(path), mode);
  for (const each of made.toReversed()) await withFolder(dirname(each), (parent) => parent.sync());
}

/**
 * Makes a folder and writes to it, so that whoever is about to pay knows that a result can be saved there. A disk that is full is no
 * fault of the folder: it may have room when the result comes. Throws `output/…`.
 */
export function mustTakeFiles(path: string): Promise<void> {
  const folder = resolve(path);
  return inFolder(folder, async () => {
    try {
      await makeFolder(folder);
      const name = join(folder, `.timbre-check-${randomUUID()}`);
      await writeFile(name, '', { flag: 'wx' });
      await rm(name, { force: true });
    } catch (error) {
      if (!isFull.has(errnoOf(error) ?? '')) throw error;
    }
  });
}

/** Writes a file that only this user may read. It appears whole or not at all. */
export async function writePrivately(path: string, content: Buffer): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  const file = await open(part, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await withFolder(folder, ({ sync }) => sync());
}

/** A disk, and how many bytes this user may still write to it. */
export interface Space {
  readonly freeBytes: number;
  readonly device: bigint;
}

/** Space where the folder is or will be: of the nearest folder above it that exists. */
export function spaceAt(folder: string): Promise<Space> {
  return inFolder(folder, async () => {
    for (let path = resolve(folder); ; path = dirname(path)) {
      try {
        const [{ bavail, bsize }, { dev }] = await Promise.all([statfs(path), stat(path, { bigint: true })]);
        return { freeBytes: bavail * bsize, device: dev };
      } catch (error) {
        const code = errnoOf(error);
        if ((code !== 'ENOENT' && code !== 'ENOTDIR') || path === dirname(path)) throw error;
      }
    }
  });
}

export const freeBytes = async (folder: string): Promise<number> => (await spaceAt(folder)).freeBytes;

const pieceBytes = 1024 ** 2;
const mostTriedBytes = 256 * pieceBytes;

/** Whether so much can be written there, found out by writing it: no system tells how much a user's quota leaves. */
export async function takesBytes(folder: string, bytes: number): Promise<boolean> {
  const path = temporaryPathOf(folder, 'room');
  const piece = Buffer.alloc(pieceBytes);
  try {
    await using file = await makeTemporary(path);
    // Without a name it goes with the process, too.
    await removeName(path);
    for (let left = Math.min(bytes, mostTriedBytes); left > 0; left -= pieceBytes) {
      await file.writeFile(left < pieceBytes ? piece.subarray(0, left) : piece);
    }
    await file.sync();
    return true;
  } catch {
    return false;
  }
}

/** Where systems put disks and shares that come and go: the folder that stands for one of them. */
const removable: readonly RegExp[] = [
  /^\/media\/[^/]+\/[^/]+/,
  /^\/run\/media\/[^/]+\/[^/]+/,
  /^\/run\/user\/\d+\/gvfs\/[^/]+/,
  /^\/mnt\/[^/]+/,
  /^\/net\/[^/]+/,
  /^\/Volumes\/[^/]+/,
];

/** The folder that a disk or a share with this path hangs on, where its place says so; null for a path of the system's own disk. */
export function removableRoot(path: string, platform: NodeJS.Platform): string | null {
  if (platform === 'win32') return parse(path).root || null;
  return removable.map((pattern) => pattern.exec(path)?.[0]).find((found) => found !== undefined) ?? null;
}

/** The kernel writes spaces, tabs, line ends and backslashes of a path in octal. */
const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));

/** Where something is mounted (Linux), longest first. Asks the kernel's own list, which no disk can hold up. */
export async function mountPoints(): Promise<readonly string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const points = text.split('\n').flatMap((line) => unescaped(line.split(' ')[4] ?? '') || []);
  return points.sort((a, b) => b.length - a.length);
}

/** The disk or share that a path stands on, as far as can be told without asking it. */
export function placeOf(path: string, points: readonly string[], platform: NodeJS.Platform): string {
  const mounted = points.find((point) => path === point || path.startsWith(point.endsWith(sep) ? point : point + sep));
  return mounted ?? removableRoot(path, platform) ?? parse(path).root;
}
