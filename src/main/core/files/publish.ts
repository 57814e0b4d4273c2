import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { errnoOf, inFolder } from './errno.ts';
import { withFolder } from './folders.ts';
import { type FileIdentity, hasInode, fileIdentityOf, isSameFile, standingAt } from './identity.ts';

/** Where a job's result grows: beside its final name, hidden, and known by the job's id to whoever comes after a kill. */
export function temporaryPathOf(folder: string, jobId: string): string {
  if (!/^[\w-]+$/.test(jobId)) throw new Error(`an id that cannot stand in a file name: ${JSON.stringify(jobId)}`);
  return join(folder, `.timbre-${jobId}.part`);
}

/** Removes a name; that it is gone already is fine. */
export async function removeName(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
}

/**
 * Makes a new, empty file of ours at this name. What a kill left there loses its name first, and is never opened: were it a link to
 * something else, that would be written over. `wx` does not follow links and refuses whatever somebody put there in between.
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

/**
 * Asked for each try. `pathFor` gives the absolute path of the first, second, … name to try; `onTaking` is called right before a name
 * that looks free is taken, so that a journal can commit it first.
 */
export interface NameReservation {
  pathFor(attempt: number): string | Promise<string>;
  onTaking(path: string, how: 'link' | 'placeholder'): void | Promise<void>;
}

/** A finished temporary file that is to get its name. */
export interface UnnamedOutput {
  readonly folder: string;
  readonly temporaryPath: string;
  readonly identity: FileIdentity;
}

const maxAttempts = 10_000;
/**
 * What systems say where there are no hard links (exFAT, some shares). EISDIR is how Node reports Windows' "invalid function" for
 * exFAT; a temporary file of ours is no folder.
 */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']);

type Outcome = 'taken' | 'lost' | 'impossible';

/** Takes a name with a hard link, which the system refuses where the name exists: nothing can come in between. */
async function takeByLink({ temporaryPath, identity }: UnnamedOutput, path: string): Promise<Outcome> {
  try {
    await link(temporaryPath, path);
    return 'taken';
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (noLinks.has(code)) return 'impossible';
    if (code !== 'EEXIST') throw error;
    // A share whose first answer was lost repeats the request and is then told that the name exists: it is ours.
    const standing = await standingAt(path);
    return standing && isSameFile(standing.identity, identity) ? 'taken' : 'lost';
  }
}

/**
 * Takes a name where there are no links: with an empty file that only we can have made (`wx`), over which the result is then renamed.
 * An alien that took the place of our empty file is seen and left alone. What remains is the moment between that look and the rename:
 * these file systems have no rename that refuses to replace, none that Node can ask for.
 */
async function takeByPlaceholder({ temporaryPath }: UnnamedOutput, path: string): Promise<Outcome> {
  let placeholder;
  try {
    placeholder = await open(path, 'wx');
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return 'lost';
    throw error;
  }
  let ours: FileIdentity | undefined;
  const isOurs = async (): Promise<boolean> => {
    const standing = await standingAt(path);
    return standing?.sizeBytes === 0 && (!ours || !hasInode(ours) || isSameFile(standing.identity, ours));
  };
  try {
    // Held open until the look: FAT makes inode numbers up, and only an open file is sure to keep its own.
    try {
      ours = fileIdentityOf(await placeholder.stat({ bigint: true }));
      if (!(await isOurs())) return 'lost';
    } finally {
      await placeholder.close();
    }
    await rename(temporaryPath, path);
    return 'taken';
  } catch (error) {
    if (await isOurs()) await removeName(path);
    throw error;
  }
}

/**
 * Gives the file the first free name and returns it. Never replaces anything. Afterwards the temporary name may still stand beside it.
 * Throws `output/failed` where a name leads out of the folder or all are taken, and the system's errors; no name is then taken.
 */
export async function publishUnderFreeName(file: UnnamedOutput, claim: NameReservation): Promise<string> {
  let how: 'link' | 'placeholder' = 'link';
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const path = await claim.pathFor(attempt);
    if (resolve(path) !== path || dirname(path) !== file.folder) {
      throw new AppError('output/failed', `a name that leads out of ${file.folder}: ${path}`);
    }
    // Only a look, so that a journal need not commit each of a thousand taken names.
    if (await standingAt(path)) continue;
    if (how === 'link') {
      await claim.onTaking(path, 'link');
      const outcome = await takeByLink(file, path);
      if (outcome === 'taken') return path;
      if (outcome === 'lost') continue;
      how = 'placeholder';
    }
    await claim.onTaking(path, 'placeholder');
    if ((await takeByPlaceholder(file, path)) === 'taken') return path;
  }
  throw new AppError('output/failed', `${maxAttempts} names are taken`, { facts: { folder: file.folder } });
}

/** Takes a name back, if it is still ours, so that a result that was not published leaves none behind. */
async function giveBack(path: string, identity: FileIdentity): Promise<void> {
  const standing = await standingAt(path);
  if (standing && isSameFile(standing.identity, identity)) await removeName(path);
}

/** Gives a finished temporary file the first free name that the claim offers, makes the name safe, and returns its path. */
export function publishTemporary(file: UnnamedOutput, claim: NameReservation): Promise<string> {
  return withFolder(file.folder, async ({ sync }) => {
    const path = await publishUnderFreeName(file, claim);
    try {
      await removeName(file.temporaryPath);
      await sync();
    } catch (error) {
      // Where this fails too, the journal still has the name: `recoverOutput` finds the result there.
      await giveBack(path, file.identity).catch(() => undefined);
      throw error;
    }
    return path;
  });
}

/**
 * Removes the temporary file that a killed run of this job left in the folder, and nothing else. That there is none, or no folder, is
 * fine; so is a folder of that name, which is not ours. Throws `output/…` where it cannot be removed.
 */
export function discardTemporary(folder: string, jobId: string): Promise<void> {
  return inFolder(folder, async () => {
    const path = temporaryPathOf(folder, jobId);
    if ((await standingAt(path))?.isFile) await removeName(path);
  });
}
