import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { lstat, mkdir, open, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';
import type { AppError } from '../../../shared/errors.ts';
import { errnoOf, folderMissing, inFolder, isDiskFull, isForbidden, isNotFound } from './errno.ts';

/** An open folder, so that only the disk itself can prevent the `sync` of a new name. */
export interface OutputFolder {
  /** Makes its file names survive a power cut, if the file system supports that. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Windows journals names itself and cannot open folders. */
const unsyncedFolder: OutputFolder = { sync: () => Promise.resolve(), close: () => Promise.resolve() };
const noSyncCodes = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF']);

async function openFolder(path: string): Promise<OutputFolder> {
  if (process.platform === 'win32') return unsyncedFolder;
  try {
    const handle = await open(path, 'r');
    return {
      async sync() {
        try {
          await handle.sync();
        } catch (error) {
          if (!noSyncCodes.has(errnoOf(error) ?? '')) throw error;
        }
      },
      close: () => handle.close(),
    };
  } catch (error) {
    // A folder that is writable but not readable cannot be opened, so it is not synced.
    if (isForbidden(error)) return unsyncedFolder;
    throw error;
  }
}

/** Opens a folder while `work` runs. */
export async function withFolder<T>(path: string, work: (folder: OutputFolder) => Promise<T>): Promise<T> {
  const folder = await openFolder(path);
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

/** True if `path` is `folder` or inside it. */
export const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Creates the missing folders of a path and returns them, topmost first. Tries each level at most
 * twice: if a system reports ENOENT for a folder whose parent exists, as in /proc, Node's recursive
 * mkdir never ends.
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
  const created = await makeMissing(dirname(path), mode);
  try {
    await mkdir(path, mode);
    return [...created, path];
  } catch (error) {
    // Another process may have created it.
    if (await isFolder(path)) return created;
    throw error;
  }
}

/** Creates a folder and its parents, and syncs the name of each new one: a result in a lost folder is lost. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const created = await makeMissing(resolve(path), mode);
  for (const folder of created.toReversed()) await withFolder(dirname(folder), (parent) => parent.sync());
}

/** Creates a folder and its parents, also where Node's recursive mkdir never ends. A power cut may lose them. */
export function makeFolderSync(path: string, mode = 0o777): void {
  const make = (): void => {
    try {
      mkdirSync(path, mode);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  };
  try {
    make();
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolderSync(dirname(path), mode);
    make();
  }
}

/**
 * Creates a folder and writes to it, to check before a paid call that a result can be saved there.
 * Ignores a full disk, which may have space when the result arrives. Throws `output/…`.
 */
export function assertWritable(path: string): Promise<void> {
  const folder = resolve(path);
  return inFolder(folder, async () => {
    try {
      await makeFolder(folder);
      const name = join(folder, `.timbre-check-${randomUUID()}`);
      await writeFile(name, '', { flag: 'wx' });
      await rm(name, { force: true });
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  });
}

/** False for a link in place of a folder of Timbre's own, which could lead to files that are not ours. */
export async function isOwnFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Asks about a folder, or about its nearest existing parent. */
function atNearest<T>(folder: string, ask: (path: string) => Promise<T>): Promise<T> {
  return inFolder(folder, async () => {
    for (let path = resolve(folder); ; path = dirname(path)) {
      try {
        return await ask(path);
      } catch (error) {
        if (!isNotFound(error) || path === dirname(path)) throw error;
      }
    }
  });
}

/** The folder of a path, or its nearest existing parent. */
export const nearestFolder = (folder: string): Promise<string> =>
  atNearest(folder, async (path) => {
    await stat(path);
    return path;
  });

const freeBytesAt = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
};

/** Returns the number of bytes that this user may still write to the disk of a folder, which need not exist yet. */
export const freeBytes = (folder: string): Promise<number> => atNearest(folder, freeBytesAt);

/** The disk of a folder. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly device: bigint;
  /** False if the folder is not there, and the rest tells of its nearest parent. */
  readonly hasFolder: boolean;
}

/** Returns the space of a folder, or of its nearest existing parent. */
export const diskSpaceAt = (folder: string): Promise<DiskSpace> =>
  atNearest(folder, async (path) => {
    // One after the other: each occupies a thread until the disk answers.
    const stats = await stat(path, { bigint: true });
    const bytes = await freeBytesAt(path);
    return { freeBytes: bytes, device: stats.dev, hasFolder: path === resolve(folder) && stats.isDirectory() };
  });

/**
 * Returns the topmost folder of a path that is on the same disk; null if that is the root of the system. It is
 * where the disk is mounted, or a link to a folder on it.
 */
export async function mountPointOf(folder: string): Promise<string | null> {
  let path = resolve(folder);
  const { dev } = await stat(path, { bigint: true });
  for (;;) {
    const parent = dirname(path);
    if (parent === path) return null;
    if ((await stat(parent, { bigint: true })).dev !== dev) return path;
    path = parent;
  }
}

/** True if a disk is mounted at what `mountPointOf` returned, even under another device number than before. */
export const isMounted = async (mountPoint: string): Promise<boolean> => {
  const [disk, around] = await Promise.all(
    [mountPoint, dirname(mountPoint)].map((path) => stat(path, { bigint: true }).catch(() => null)),
  );
  return !!disk && !!around && disk.dev !== around.dev;
};

/**
 * The error for a folder that is gone, or whose disk is no longer mounted at `mountPoint`; null if it is there.
 * Null for other failures to read it, which the next write reports.
 */
export async function missingFolder(folder: string, mountPoint: string | null): Promise<AppError | null> {
  if (mountPoint !== null && !(await isMounted(mountPoint))) return folderMissing(folder, mountPoint);
  const isGone = await stat(folder).then(() => false, isNotFound);
  return isGone ? folderMissing(folder, mountPoint) : null;
}

/** Mount folders of removable disks and network shares. */
const removablePatterns: readonly RegExp[] = [
  /^\/media\/[^/]+\/[^/]+/,
  /^\/run\/media\/[^/]+\/[^/]+/,
  /^\/run\/user\/\d+\/gvfs\/[^/]+/,
  /^\/mnt\/[^/]+/,
  /^\/net\/[^/]+/,
  /^\/Volumes\/[^/]+/,
];

/**
 * Returns the mount folder of a removable disk or share, judged by the path alone; null for the
 * system disk.
 */
export function removableRoot(path: string, platform: NodeJS.Platform): string | null {
  if (platform === 'win32') return parse(path).root || null;
  return removablePatterns.map((pattern) => pattern.exec(path)?.[0]).find((found) => found !== undefined) ?? null;
}

/** The kernel writes spaces, tabs, line ends and backslashes of a path in octal. */
const unescapeOctal = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));

/** Lists mount points (Linux), longest first. Reads the kernel's list, so a hung disk cannot block it. */
export async function mountPoints(): Promise<readonly string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const points = text.split('\n').flatMap((line) => unescapeOctal(line.split(' ')[4] ?? '') || []);
  return points.sort((a, b) => b.length - a.length);
}

/** Returns the disk or share of a path without accessing it. */
export function diskOf(path: string, points: readonly string[], platform: NodeJS.Platform): string {
  return points.find((point) => isInside(point, path)) ?? removableRoot(path, platform) ?? parse(path).root;
}
