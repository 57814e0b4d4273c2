import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileStampAt } from './identity.ts';
import { type FinishedOutput, hasSameContent, isFinishedFile } from './content.ts';
import { errnoOf, inFolder } from './errno.ts';
import { withFolder } from './folders.ts';
import { numberedName } from './names.ts';
import { type NameReservation, type OutputName, publishTemporary, temporaryPathOf } from './publish.ts';
import { recoverOutput } from './recover-output.ts';

/** A result that is hidden or will be, with its original name. */
export interface StashedFile extends OutputName {
  /** Part of the hidden name. */
  readonly id: string;
  readonly finished: FinishedOutput;
  /** The name reserved for restoring it, if a restore has begun. */
  readonly reserved: OutputName | null;
}

type Place = Omit<StashedFile, 'reserved'>;

const stashId = (id: string): string => `removed-${id}`;

/** Path of the stash: beside the file, with an extension that watched folders ignore. */
const stashPathOf = ({ id, path }: Pick<Place, 'id' | 'path'>): string => temporaryPathOf(dirname(path), stashId(id));

/**
 * True if the file at a result's name is still that result: the same file with the same bytes. The
 * device number may have changed; without hard links inodes are made up, so only the bytes count.
 */
export async function isResult({ path, method, finished }: Omit<Place, 'id'>): Promise<boolean> {
  const stamp = await fileStampAt(path);
  if (!stamp?.isFile || stamp.sizeBytes !== finished.sizeBytes) return false;
  if (method === 'link' && stamp.identity.inode !== finished.identity.inode) return false;
  return hasSameContent(path, stamp, finished);
}

/** Offers a file's own name, then the same with a number. */
export function reserveOriginalName(path: string, onReserve: NameReservation['onReserve']): NameReservation {
  return { pathFor: (attempt) => join(dirname(path), numberedName(basename(path), attempt)), onReserve };
}

/**
 * Hides a file, which was found to be the result, by renaming it within its folder. Returns false if
 * it is not hidden: it cannot be renamed, or another file had replaced it, which gets its name back.
 * If its disk disappears meanwhile, it may be hidden.
 */
export async function stash(file: Place): Promise<boolean> {
  const { path, method } = file;
  const folder = dirname(path);
  const stashPath = stashPathOf(file);
  try {
    const found = await fileStampAt(path);
    if (!found?.isFile) return false;
    await withFolder(folder, async ({ sync }) => {
      await rename(path, stashPath);
      await sync();
    });
    const moved = await fileStampAt(stashPath);
    if (!moved) return true;
    if (method === 'placeholder' || moved.identity.inode === file.finished.identity.inode) return true;
    await publishTemporary(
      { folder, temporaryPath: stashPath, identity: moved.identity },
      reserveOriginalName(path, () => undefined),
    );
    return false;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    // Only callers that know of a hidden file restore it, so report false only if the file is visible.
    const [atStash, atPath] = await Promise.all(
      [stashPath, path].map((name) => fileStampAt(name).catch(() => undefined)),
    );
    return atStash !== null || atPath === null;
  }
}

/**
 * Gives a hidden file its name back, or the next free one, and returns its path. Never replaces a
 * file, and may be repeated after a crash at any point. Returns null if there is neither a hidden
 * file nor the result under its name, for example if the folder is gone. Calls `onReserve` before it
 * uses a name. Throws `output/…`.
 */
export function unstash(file: StashedFile, onReserve: (reserved: OutputName) => Promise<void>): Promise<string | null> {
  const { id, path, finished, reserved } = file;
  const folder = dirname(path);
  const stashPath = stashPathOf(file);
  return inFolder(folder, async () => {
    const stamp = await fileStampAt(stashPath);
    if (!stamp?.isFile) {
      for (const name of [reserved ?? file, file]) if (await isResult({ ...file, ...name })) return name.path;
      return null;
    }
    const { identity } = stamp;
    // After a crash there may be both names, or an empty placeholder. If the user has changed the
    // hidden file since, its current content is restored.
    if (reserved && (await isFinishedFile(stashPath, stamp, finished))) {
      const journalled = { ...reserved, folder, jobId: stashId(id), finished: { ...finished, identity } };
      if ((await recoverOutput(journalled)) === 'published') return reserved.path;
    }
    return publishTemporary(
      { folder, temporaryPath: stashPath, identity },
      reserveOriginalName(path, (name, method) => onReserve({ path: name, method })),
    );
  });
}
