import { rename } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import type { OutputName } from '../jobs/job.ts';
import { standingAt } from './identity.ts';
import { hasContentOf, isWhole } from './content.ts';
import { errnoOf, inFolder } from './errno.ts';
import { withFolder } from './folders.ts';
import { type NameReservation, publishTemporary, temporaryPathOf } from './publish.ts';
import { recoverOutput } from './recover-output.ts';
import type { RemovedFile } from '../history/removal-store.ts';

type Place = Pick<RemovedFile, 'id' | 'path' | 'how' | 'finished'>;

const hiddenId = (id: string): string => `removed-${id}`;

/** Beside its name, and ending as what watched folders pass over. */
export const stashPathOf = ({ id, path }: Pick<Place, 'id' | 'path'>): string =>
  temporaryPathOf(dirname(path), hiddenId(id));

/**
 * Whether the file at a result's name is that result still: the same file with the same bytes. A device may have another number today;
 * where there are no links, inodes are made up, and the bytes alone tell.
 */
export async function isResult({ path, how, finished }: Omit<Place, 'id'>): Promise<boolean> {
  const standing = await standingAt(path);
  if (!standing?.isFile || standing.sizeBytes !== finished.sizeBytes) return false;
  if (how === 'link' && standing.identity.inode !== finished.identity.inode) return false;
  return hasContentOf(path, standing, finished);
}

function backTo(path: string, onTaking: NameReservation['onTaking']): NameReservation {
  const { dir, name, ext } = parse(path);
  return { pathFor: (attempt) => (attempt === 1 ? path : join(dir, `${name} (${attempt})${ext}`)), onTaking };
}

/**
 * Hides a file that was found to be the result under another name in its folder, at once: every byte of it is there before and after.
 * False where it stays: it cannot be renamed, or another file had taken its place meanwhile, which then has its name again. Where its
 * disk went away on the way, it may be hidden.
 */
export async function stash(file: Place): Promise<boolean> {
  const { path, how } = file;
  const folder = dirname(path);
  const hidden = stashPathOf(file);
  try {
    const looked = await standingAt(path);
    if (!looked?.isFile) return false;
    await withFolder(folder, async ({ sync }) => {
      await rename(path, hidden);
      await sync();
    });
    const moved = await standingAt(hidden);
    if (!moved) return true;
    if (how === 'placeholder' || moved.identity.inode === file.finished.identity.inode) return true;
    await publishTemporary(
      { folder, temporaryPath: hidden, identity: moved.identity },
      backTo(path, () => undefined),
    );
    return false;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    // What is hidden is brought back only by who knows of it: it stays only where it can be seen.
    const [below, above] = await Promise.all([hidden, path].map((name) => standingAt(name).catch(() => undefined)));
    return below !== null || above === null;
  }
}

/**
 * Gives a hidden file its name back, or the next free one, and returns it. Never replaces anything, and may be called again after a kill
 * at any point. Null where there is nothing hidden and nothing of it under its name, as where the folder is not there. `onTaking` is
 * called before a name is taken. Throws `output/…`.
 */
export function unstash(file: RemovedFile, onTaking: (taking: OutputName) => Promise<void>): Promise<string | null> {
  const { id, path, finished, taking } = file;
  const folder = dirname(path);
  const hidden = stashPathOf(file);
  return inFolder(folder, async () => {
    const standing = await standingAt(hidden);
    if (!standing?.isFile) {
      for (const name of [taking ?? file, file]) if (await isResult({ ...file, ...name })) return name.path;
      return null;
    }
    const { identity } = standing;
    // A kill has left both names, or an empty file that holds the name. What somebody has written into since is theirs, and comes back.
    if (taking && (await isWhole(hidden, standing, finished))) {
      const journalled = { ...taking, folder, jobId: hiddenId(id), finished: { ...finished, identity } };
      if ((await recoverOutput(journalled)) === 'published') return taking.path;
    }
    return publishTemporary(
      { folder, temporaryPath: hidden, identity },
      backTo(path, (name, how) => onTaking({ path: name, how })),
    );
  });
}
