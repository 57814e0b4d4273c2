import type { BigIntStats } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileStatus } from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import { contentHash } from '../files/content.ts';
import { errnoOf } from '../files/errno.ts';
import { mountPoints, placeOf, removableRoot } from '../files/folders.ts';
import { type FileIdentity, fileIdentityOf } from '../files/identity.ts';
import { legalName } from '../files/names.ts';
import type { Job } from '../jobs/job.ts';
import { isInside } from '../watch/source-disposal.ts';

const folderName = 'Elsewhere';

/**
 * Where a file of an imported entry is said to lie that is not on this computer: in a folder below that for sounds, which nobody makes.
 * It has the name that it had, legal here or not: nothing is written under it.
 */
export function unseenFilePath(folder: string, name: string): string {
  const plain = name.replace(/[\\/\0]/g, '_');
  return join(folder, folderName, ['', '.', '..'].includes(plain) ? legalName('') : plain);
}

/** True of a file that only an import has told of: nobody has ever seen it here. */
export const isUnseenFile = ({ path, identity }: EntryFile): boolean =>
  basename(dirname(path)) === folderName && (identity === null || identity.inode === '0');

/** `doubtful` has the right size and is another file, or was written to: only its bytes tell. */
export type QuickStatus = FileStatus | 'doubtful';

/** FAT writes times in steps of two seconds, and a result is published before its job is done. */
const timeStepMs = 2000;

const isNothing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '');

async function statsOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (isNothing(error)) return undefined;
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
 * Whether the disk that a missing file stood on is not there. Two signs: the folder of a removable disk or a share is gone, or empty;
 * or the nearest folder above the file that is left is empty and stands on another disk than the file did, as the place does that
 * something is mounted on by hand. A disk that was renumbered at a start is no sign: its folders hold something.
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

function judge(file: EntryFile, stats: BigIntStats): QuickStatus {
  if (!stats.isFile()) return 'changed';
  if (file.sizeBytes === null) return 'there';
  if (Number(stats.size) !== file.sizeBytes) return 'changed';
  // A device has another number now and then; an inode has not.
  const isSameFile = file.identity !== null && file.identity.inode === String(stats.ino);
  if (file.modifiedNs !== null) {
    return file.modifiedNs === String(stats.mtimeNs) && (isSameFile || !isKnown(file)) ? 'there' : 'doubtful';
  }
  const isOld = file.finishedAt === null || Number(stats.mtimeMs) <= file.finishedAt + timeStepMs;
  return isSameFile && isOld ? 'there' : 'doubtful';
}

const isKnown = ({ identity }: EntryFile): boolean => identity !== null && !['', '0'].includes(identity.inode);

/**
 * Where a file stands, without reading it. A file of the right size that nobody can have written to is `there`. What cannot be looked
 * at (no answer in time, an error of the disk, no permission) is `away`: nothing is known of it.
 */
export async function quickStatus(
  file: EntryFile,
  looks: DiskQueries,
  platform: NodeJS.Platform,
): Promise<QuickStatus> {
  try {
    const found = await looks.ask(file.path, async () => {
      const wasHere = !isUnseenFile(file);
      // A name that another system allows may be none here.
      const stats = await statsOf(file.path).catch((error: unknown) => {
        if (wasHere) throw error;
      });
      if (stats) return judge(file, stats);
      // No disk that comes back would bring it.
      if (!wasHere) return 'missing';
      return (await isAway(file, platform)) ? 'away' : 'missing';
    });
    return found ?? 'away';
  } catch {
    return 'away';
  }
}

export interface FileStatuses {
  /** Where these files stand, in their order. What is doubtful is read, each state of a file once, as long as there is time. */
  of(files: readonly (EntryFile | null)[], signal: AbortSignal): Promise<readonly (FileStatus | null)[]>;
}

interface Dependencies {
  readonly looks: DiskQueries;
  readonly clock: Pick<Clock, 'now'>;
  readonly platform: NodeJS.Platform;
}

/** As many files as were doubtful lately; each is a few hundred bytes. */
const maxRemembered = 10_000;
/** Time for reading what is doubtful. A file that was not read counts as there: it has the right size. */
const readingMs = 3000;

/** Looks at the files of entries that are shown. Nothing here waits for a disk that hangs. */
export function createFileStatuses({ looks, clock, platform }: Dependencies): FileStatuses {
  const remembered = new Map<string, boolean>();

  async function hasBytes(file: EntryFile, signal: AbortSignal): Promise<boolean> {
    const { path, sha256, sizeBytes } = file;
    const stats = await statsOf(path);
    if (!stats || sha256 === null || sizeBytes === null) return false;
    const { device, inode } = fileIdentityOf(stats);
    const key = [path, sha256, device, inode, stats.mtimeNs, stats.ctimeNs].join('\n');
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const isTheirs = (await contentHash(path, sizeBytes, signal)) === sha256;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(key, isTheirs);
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
      const first = await Promise.all(files.map(async (file) => file && quickStatus(file, looks, platform)));
      const untilMs = clock.now() + readingMs;
      const standings: (FileStatus | null)[] = [];
      for (const [k, file] of files.entries()) {
        const standing = first[k] ?? null;
        standings.push(file && standing === 'doubtful' ? await read(file, untilMs, signal) : (standing as FileStatus));
      }
      return standings;
    },
  };
}

/** Longer than a disk takes to wake up for a name that the system has not in memory; a person waits for it. */
export const diskTimeoutMs = 2000;
/** The system does four calls of ours at once, and one to a disk that hangs never ends: two are left to all others. */
const maxHanging = 2;

/**
 * Asks disks that may hang. One question at a time for each of them; one that does not answer within the deadline is not asked again
 * until it has, and while two hang nobody is asked.
 */
export interface DiskQueries {
  /** The answer, or undefined where the path's disk did not give one in time. Rejects as `ask` does. */
  ask<T>(path: string, ask: () => Promise<T>): Promise<T | undefined>;
}

interface DiskQueriesDependencies {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly platform: NodeJS.Platform;
  readonly deadlineMs?: number;
}

export function createDiskQueries({
  clock,
  platform,
  deadlineMs = diskTimeoutMs,
}: DiskQueriesDependencies): DiskQueries {
  const hanging = new Set<string>();
  const lines = new Map<string, Promise<unknown>>();

  async function askNow<T>(place: string, ask: () => Promise<T>): Promise<T | undefined> {
    if (hanging.has(place) || hanging.size >= maxHanging) return undefined;
    const answered = new AbortController();
    const answer = ask().finally(() => {
      answered.abort();
      hanging.delete(place);
    });
    const late = clock.sleep(deadlineMs, answered.signal).then(
      () => {
        if (!answered.signal.aborted) hanging.add(place);
        return answered.signal.aborted ? answer : undefined;
      },
      () => answer,
    );
    // Heard by nobody where it comes too late.
    answer.catch(() => undefined);
    return Promise.race([answer, late]);
  }

  return {
    async ask(path, ask) {
      const place = placeOf(path, platform === 'linux' ? await mountPoints() : [], platform);
      const before = lines.get(place) ?? Promise.resolve();
      const turn = before.then(() => askNow(place, ask));
      const ended = turn.then(
        () => undefined,
        () => undefined,
      );
      lines.set(place, ended);
      void ended.then(() => {
        if (lines.get(place) === ended) lines.delete(place);
      });
      return turn;
    },
  };
}

/** A file of an entry, as it was when Timbre had it last. Null where nobody knows. */
export interface EntryFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number | null;
  /** Hex. */
  readonly sha256: string | null;
  readonly identity: FileIdentity | null;
  /** Nanoseconds since 1970; of sources only. */
  readonly modifiedNs: string | null;
  /** Nobody has written into it since, in milliseconds since 1970; of results only. */
  readonly finishedAt: number | null;
}

export type WhichFile = 'source' | 'result';

export function sourceOf(job: Job): EntryFile | null {
  if (job.kind === 'speech') return null;
  const { path, snapshot, sha256 } = job.source;
  return {
    path,
    name: basename(path),
    sizeBytes: snapshot?.sizeBytes ?? null,
    sha256: job.sourceSha256 ?? sha256 ?? null,
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
