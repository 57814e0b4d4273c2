import type { BigIntStats } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileStatus } from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import { contentHash } from '../files/content.ts';
import { createDiskQueries, type DiskQueries } from '../files/disk-queries.ts';
import { isNotFound } from '../files/errno.ts';
import { isInside, removableRoot } from '../files/folders.ts';
import { fatTimeStepMs, type FileIdentity, fileIdentityOf, hasInode } from '../files/identity.ts';
import { legalName } from '../files/names.ts';
import { type Job, sourceHashOf } from '../jobs/job.ts';

const folderName = 'Elsewhere';

/**
 * Path of an imported entry's file that is not on this computer: in a folder that is never created,
 * below the folder for audio. It keeps its original name, even if illegal here, since nothing is
 * written to it.
 */
export function unseenFilePath(folder: string, name: string): string {
  const plain = name.replace(/[\\/\0]/g, '_');
  return join(folder, folderName, ['', '.', '..'].includes(plain) ? legalName('') : plain);
}

/** True for a file that is known only from an import and was never on this computer. */
export const isUnseenFile = ({ path, identity }: EntryFile): boolean =>
  basename(dirname(path)) === folderName && (identity === null || identity.inode === '0');

/** `doubtful`: the size matches, but it is another file or was modified, so only the bytes can tell. */
type QuickStatus = FileStatus | 'doubtful';

async function statsOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  const entries = await opendir(folder);
  try {
    return (await entries.read()) === null;
  } finally {
    await entries.close();
  }
}

/**
 * True if the disk of a missing file is not mounted: the root of its removable disk or share is
 * missing or empty, or the nearest existing parent folder is empty and on another device than the
 * file was (an unused mount point). A device number that changed at boot does not count: its
 * folders are not empty.
 */
async function isAway({ path, identity }: EntryFile, platform: NodeJS.Platform): Promise<boolean> {
  const root = removableRoot(path, platform);
  let folder = dirname(path);
  let left = await statsOf(folder);
  while (!left && folder !== dirname(folder)) {
    folder = dirname(folder);
    left = await statsOf(folder);
  }
  if (!left) return true;
  if (root !== null && !isInside(root, folder)) return true;
  if (!left.isDirectory()) return false;
  const isOther = identity !== null && identity.device !== '0' && identity.device !== String(left.dev);
  return (isOther || folder === root) && (await isEmpty(folder));
}

function statusOf(file: EntryFile, stats: BigIntStats): QuickStatus {
  if (!stats.isFile()) return 'changed';
  if (file.sizeBytes === null) return 'there';
  if (Number(stats.size) !== file.sizeBytes) return 'changed';
  // Device numbers may change; inode numbers do not.
  const isSameFile = file.identity !== null && file.identity.inode === String(stats.ino);
  if (file.modifiedNs !== null) {
    return file.modifiedNs === String(stats.mtimeNs) && (isSameFile || !file.identity || !hasInode(file.identity))
      ? 'there'
      : 'doubtful';
  }
  // A result is published before its job is done.
  const isOld = file.finishedAt === null || Number(stats.mtimeMs) <= file.finishedAt + fatTimeStepMs;
  return isSameFile && isOld ? 'there' : 'doubtful';
}

export interface FileStatuses {
  /**
   * Status of these files, in their order. Doubtful files are read within the time limit, each
   * version of a file once.
   */
  of(files: readonly (EntryFile | null)[], signal: AbortSignal): Promise<readonly (FileStatus | null)[]>;
}

interface Dependencies {
  readonly fileQueries: FileQueries;
  readonly clock: Pick<Clock, 'now'>;
}

/** Cached hash comparisons, a few hundred bytes each. */
const maxCachedHashes = 10_000;
/** Time limit for reading doubtful files. Those not read in time count as `there`: their size matches. */
const readLimitMs = 3000;

/** Checks the files of entries on screen. Never waits for a disk that hangs. */
export function createFileStatuses({ fileQueries, clock }: Dependencies): FileStatuses {
  const cachedHashes = new Map<string, boolean>();

  async function hasBytes(file: EntryFile, signal: AbortSignal): Promise<boolean> {
    const { path, sha256, sizeBytes } = file;
    const stats = await statsOf(path);
    if (!stats || sha256 === null || sizeBytes === null) return false;
    const { device, inode } = fileIdentityOf(stats);
    const key = [path, sha256, device, inode, stats.mtimeNs, stats.ctimeNs].join('\n');
    const known = cachedHashes.get(key);
    if (known !== undefined) return known;
    const isTheirs = (await contentHash(path, sizeBytes, signal)) === sha256;
    if (cachedHashes.size >= maxCachedHashes) cachedHashes.clear();
    cachedHashes.set(key, isTheirs);
    return isTheirs;
  }

  async function read(file: EntryFile, untilMs: number, signal: AbortSignal): Promise<FileStatus> {
    const leftMs = untilMs - clock.now();
    if (leftMs <= 0) return 'there';
    const late = AbortSignal.timeout(leftMs);
    try {
      return (await hasBytes(file, AbortSignal.any([signal, late]))) ? 'there' : 'changed';
    } catch {
      signal.throwIfAborted();
      return late.aborted ? 'there' : 'changed';
    }
  }

  return {
    async of(files, signal) {
      const first = await Promise.all(files.map(async (file) => file && fileQueries.quickStatus(file)));
      const untilMs = clock.now() + readLimitMs;
      const statuses: (FileStatus | null)[] = [];
      for (const [k, file] of files.entries()) {
        const status = first[k] ?? null;
        statuses.push(file && status === 'doubtful' ? await read(file, untilMs, signal) : (status as FileStatus));
      }
      return statuses;
    },
  };
}

/** Queries about the files of entries, on disks that may hang. */
export interface FileQueries extends DiskQueries {
  /**
   * Status of a file without reading it. `there` requires the right size and proof that it was not
   * modified. `away` also means that the file cannot be checked: timeout, disk error, no permission.
   */
  quickStatus(file: EntryFile): Promise<QuickStatus>;
}

interface FileQueriesDependencies {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly platform: NodeJS.Platform;
}

export function createFileQueries({ clock, platform }: FileQueriesDependencies): FileQueries {
  const disks = createDiskQueries({ clock, platform });

  async function statusNow(file: EntryFile): Promise<QuickStatus> {
    const wasHere = !isUnseenFile(file);
    // The name may be illegal on this system.
    const stats = await statsOf(file.path).catch((error: unknown) => {
      if (wasHere) throw error;
    });
    if (stats) return statusOf(file, stats);
    // It was never on this computer, so no disk can bring it back.
    if (!wasHere) return 'missing';
    return (await isAway(file, platform)) ? 'away' : 'missing';
  }

  return {
    ...disks,
    quickStatus: async (file) => (await disks.query(file.path, () => statusNow(file)).catch(() => undefined)) ?? 'away',
  };
}

/** A file of an entry, as Timbre last saw it. Null where unknown. */
export interface EntryFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number | null;
  /** Hex. */
  readonly sha256: string | null;
  readonly identity: FileIdentity | null;
  /** Nanoseconds since 1970; only for sources. */
  readonly modifiedNs: string | null;
  /** End of the job in milliseconds since 1970; a later modification is not ours. Only for results. */
  readonly finishedAt: number | null;
}

export type WhichFile = 'source' | 'result';

export function sourceOf(job: Job): EntryFile | null {
  if (job.source === null) return null;
  const { path, snapshot } = job.source;
  return {
    path,
    name: basename(path),
    sizeBytes: snapshot?.sizeBytes ?? null,
    sha256: sourceHashOf(job) ?? null,
    identity: snapshot && { device: snapshot.device, inode: snapshot.inode },
    modifiedNs: snapshot?.modifiedNs ?? null,
    finishedAt: null,
  };
}

export function resultOf({ state, output, finished, endedAt }: Job): EntryFile | null {
  if (state !== 'done' || !output || !finished) return null;
  return {
    path: output.path,
    name: basename(output.path),
    sizeBytes: finished.sizeBytes,
    sha256: finished.sha256,
    identity: finished.identity,
    modifiedNs: null,
    finishedAt: endedAt,
  };
}

export const fileOf = (job: Job, which: WhichFile): EntryFile | null =>
  which === 'source' ? sourceOf(job) : resultOf(job);
