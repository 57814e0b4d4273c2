import { link, open, rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '../../../shared/app-error.ts';
import { hasInode, identityOf, isSame, standingAt, type FileIdentity } from './file-identity.ts';
import { codeOf } from './output-error.ts';
import { removeName } from './temporary-file.ts';

/**
 * Asked for each try. `pathFor` gives the absolute path of the first, second, … name to try; `onTaking` is called right before a name
 * that looks free is taken, so that a journal can commit it first.
 */
export interface NameClaim {
  pathFor(attempt: number): string | Promise<string>;
  onTaking(path: string, how: 'link' | 'placeholder'): void | Promise<void>;
}

/** A finished temporary file that is to get its name. */
export interface Nameless {
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
async function takeByLink({ temporaryPath, identity }: Nameless, path: string): Promise<Outcome> {
  try {
    await link(temporaryPath, path);
    return 'taken';
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (noLinks.has(code)) return 'impossible';
    if (code !== 'EEXIST') throw error;
    // A share whose first answer was lost repeats the request and is then told that the name exists: it is ours.
    const standing = await standingAt(path);
    return standing && isSame(standing.identity, identity) ? 'taken' : 'lost';
  }
}

/**
 * Takes a name where there are no links: with an empty file that only we can have made (`wx`), over which the result is then renamed.
 * An alien that took the place of our empty file is seen and left alone. What remains is the moment between that look and the rename:
 * these file systems have no rename that refuses to replace, none that Node can ask for.
 */
async function takeByPlaceholder({ temporaryPath }: Nameless, path: string): Promise<Outcome> {
  let placeholder;
  try {
    placeholder = await open(path, 'wx');
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'lost';
    throw error;
  }
  let ours: FileIdentity | undefined;
  const isOurs = async (): Promise<boolean> => {
    const standing = await standingAt(path);
    return standing?.sizeBytes === 0 && (!ours || !hasInode(ours) || isSame(standing.identity, ours));
  };
  try {
    // Held open until the look: FAT makes inode numbers up, and only an open file is sure to keep its own.
    try {
      ours = identityOf(await placeholder.stat({ bigint: true }));
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
export async function takeName(file: Nameless, claim: NameClaim): Promise<string> {
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
