import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { errnoOf, inFolder, isNotFound } from './errno.ts';
import { withFolder } from './folders.ts';
import { type FileIdentity, hasInode, fileIdentityOf, isSameFile, fileStampAt } from './identity.ts';

/**
 * Path of a job's unfinished result: hidden, beside its final name, and identified by the job's id
 * after a crash.
 */
export function temporaryPathOf(folder: string, jobId: string): string {
  if (!/^[\w-]+$/.test(jobId)) throw new Error(`an id that cannot stand in a file name: ${JSON.stringify(jobId)}`);
  return join(folder, `.timbre-${jobId}.part`);
}

/** Removes a name. Does nothing if it is already gone. */
export async function removeName(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/**
 * Creates a new, empty file. Removes a leftover of a crash instead of opening it, because it could
 * be a link to a file that would be overwritten. `wx` does not follow links and fails if another
 * file appeared in between.
 */
export async function makeTemporary(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx');
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    await removeName(path);
    return open(path, 'wx');
  }
}

/** The reserved name of a result. `method` tells the recovery after a crash what may exist under it. */
export interface OutputName {
  readonly path: string;
  readonly method: 'link' | 'placeholder';
}

/**
 * Called for each attempt. `pathFor` returns the absolute path to try on attempt 1, 2, …; `onReserve`
 * is called right before a free name is used, so that a journal can commit it first.
 */
export interface NameReservation {
  pathFor(attempt: number): string | Promise<string>;
  onReserve(path: string, method: OutputName['method']): void | Promise<void>;
}

/** A finished temporary file without a final name. */
export interface UnnamedOutput {
  readonly folder: string;
  readonly temporaryPath: string;
  readonly identity: FileIdentity;
}

const maxAttempts = 10_000;
/**
 * Error codes of systems without hard links (exFAT, some shares). EISDIR is how Node reports
 * Windows' "invalid function" for exFAT; our temporary file is never a folder.
 */
const noLinkCodes = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']);

type Outcome = 'reserved' | 'lost' | 'impossible';

/** Reserves a name with a hard link, which fails if the name exists, so there is no race. */
async function reserveByLink({ temporaryPath, identity }: UnnamedOutput, path: string): Promise<Outcome> {
  try {
    await link(temporaryPath, path);
    return 'reserved';
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (noLinkCodes.has(code)) return 'impossible';
    if (code !== 'EEXIST') throw error;
    // If a share's first response was lost, the repeated request reports that the name exists: it is
    // ours.
    const stamp = await fileStampAt(path);
    return stamp && isSameFile(stamp.identity, identity) ? 'reserved' : 'lost';
  }
}

/**
 * Reserves a name without hard links: creates an empty file (`wx`) and renames the result over it.
 * Detects a foreign file in place of the empty one and leaves it. A race remains between that check
 * and the rename, because Node offers no rename that refuses to replace.
 */
async function reserveByPlaceholder({ temporaryPath }: UnnamedOutput, path: string): Promise<Outcome> {
  let placeholder;
  try {
    placeholder = await open(path, 'wx');
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return 'lost';
    throw error;
  }
  let ours: FileIdentity | undefined;
  const isOurs = async (): Promise<boolean> => {
    const stamp = await fileStampAt(path);
    return stamp?.sizeBytes === 0 && (!ours || !hasInode(ours) || isSameFile(stamp.identity, ours));
  };
  try {
    // Kept open until the check: FAT makes up inode numbers, and only an open file keeps its number.
    try {
      ours = fileIdentityOf(await placeholder.stat({ bigint: true }));
      if (!(await isOurs())) return 'lost';
    } finally {
      await placeholder.close();
    }
    await rename(temporaryPath, path);
    return 'reserved';
  } catch (error) {
    if (await isOurs()) await removeName(path);
    throw error;
  }
}

/**
 * Gives the file the first free name and returns its path. Never replaces a file. The temporary name
 * may remain. Throws `output/failed` if a name leads out of the folder or all are taken, and system
 * errors; then no name is used.
 */
export async function publishUnderFreeName(file: UnnamedOutput, claim: NameReservation): Promise<string> {
  let method: OutputName['method'] = 'link';
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const path = await claim.pathFor(attempt);
    if (resolve(path) !== path || dirname(path) !== file.folder) {
      throw new AppError('output/failed', `a name that leads out of ${file.folder}: ${path}`);
    }
    // A cheap check, so that a journal need not commit each of a thousand taken names.
    if (await fileStampAt(path)) continue;
    if (method === 'link') {
      await claim.onReserve(path, 'link');
      const outcome = await reserveByLink(file, path);
      if (outcome === 'reserved') return path;
      if (outcome === 'lost') continue;
      method = 'placeholder';
    }
    await claim.onReserve(path, 'placeholder');
    if ((await reserveByPlaceholder(file, path)) === 'reserved') return path;
  }
  throw new AppError('output/failed', `${maxAttempts} names are taken`, { facts: { folder: file.folder } });
}

/**
 * Takes a name back from a file that is still ours. If the temporary name is gone, as only the sync failed, the file gets
 * that one again: audio that came with a reply, or a result whose removal is undone, exists nowhere else.
 */
async function withdrawName(path: string, { temporaryPath, identity }: UnnamedOutput): Promise<void> {
  const stamp = await fileStampAt(path);
  if (!stamp || !isSameFile(stamp.identity, identity)) return;
  if (await fileStampAt(temporaryPath)) await removeName(path);
  else await rename(path, temporaryPath);
}

/**
 * Gives a finished temporary file the first free name that the claim offers, syncs the folder, and
 * returns its path. After a failure the file has its temporary name.
 */
export function publishTemporary(file: UnnamedOutput, claim: NameReservation): Promise<string> {
  return withFolder(file.folder, async ({ sync }) => {
    const path = await publishUnderFreeName(file, claim);
    try {
      await removeName(file.temporaryPath);
      await sync();
    } catch (error) {
      // If this fails too, `recoverOutput` finds the result by the name in the journal.
      await withdrawName(path, file).catch(() => undefined);
      throw error;
    }
    return path;
  });
}

/**
 * Removes the temporary file that a crashed run of this job left in the folder. Does nothing if
 * there is no file, no folder, or a folder of that name, which is not ours. Throws `output/…` if it
 * cannot be removed.
 */
export function discardTemporary(folder: string, jobId: string): Promise<void> {
  return inFolder(folder, async () => {
    const path = temporaryPathOf(folder, jobId);
    if ((await fileStampAt(path))?.isFile) await removeName(path);
  });
}

const pieceBytes = 1024 ** 2;
const maxProbeBytes = 256 * pieceBytes;

/**
 * True if that many bytes can be written. Writes them (256 MiB at most), because no system reports
 * what a user's quota leaves.
 */
export async function canWriteBytes(folder: string, bytes: number): Promise<boolean> {
  const path = temporaryPathOf(folder, 'room');
  const piece = Buffer.alloc(pieceBytes);
  try {
    await using file = await makeTemporary(path);
    // An unlinked file disappears with the process.
    await removeName(path);
    for (let left = Math.min(bytes, maxProbeBytes); left > 0; left -= pieceBytes) {
      await file.writeFile(left < pieceBytes ? piece.subarray(0, left) : piece);
    }
    await file.sync();
    return true;
  } catch {
    return false;
  }
}
