import { isSameFile, standingAt, type Standing } from './identity.ts';
import { hasContentOf, isWhole } from './content.ts';
import { errnoOf, inFolder } from './errno.ts';
import { withFolder } from './folders.ts';
import type { FinishedOutput } from './pending-output.ts';
import { removeName, temporaryPathOf } from './publish.ts';

/** The journal's record when the process crashed in `publishing`. */
export interface JournalledOutput {
  /** Folder of the final name. */
  readonly folder: string;
  readonly jobId: string;
  /** The last name that was tried. */
  readonly path: string;
  readonly how: 'link' | 'placeholder';
  readonly finished: FinishedOutput;
}

/** FAT stores times in steps of two seconds. */
const timestampStepMs = 2000;

/** Returns the temporary file, or null. A folder or link of that name is not ours. */
async function findTemporary(path: string): Promise<Standing | null> {
  const standing = await standingAt(path);
  return standing?.isFile ? standing : null;
}

/**
 * True if the file at the final name is this job's result. While the temporary file exists, both
 * must be the same file, because a foreign file or another job's result may have equal content.
 * Without it, equal content is enough: only publishing removes it, and the device number may have
 * changed. Inodes count only for linked files; file systems without links make them up.
 */
async function isPublished(
  { path, how, finished }: JournalledOutput,
  standing: Standing,
  temporary: Standing | null,
): Promise<boolean> {
  if (!standing.isFile) return false;
  if (how === 'link' && isSameFile(standing.identity, finished.identity)) return true;
  if (temporary) return how === 'link' && isSameFile(standing.identity, temporary.identity);
  return hasContentOf(path, standing, finished);
}

/**
 * True if the file at the final name is our empty placeholder. The name was free when the journal
 * recorded it, the result still waits beside it, and the file is empty. An empty file that another
 * program created there in between is indistinguishable, but holds nothing.
 */
const isPlaceholder = ({ how }: JournalledOutput, standing: Standing, temporary: Standing | null): boolean =>
  how === 'placeholder' &&
  standing.isFile &&
  standing.sizeBytes === 0 &&
  temporary !== null &&
  standing.modifiedMs >= temporary.modifiedMs - timestampStepMs;

/**
 * Cleans up after a crash in `publishing`. `published`: the complete result has its final name,
 * which is synced, and the temporary file is gone. `missing`: there is no result. A complete
 * temporary file is then kept for `reopenOutput`, because audio that came with the service's reply
 * cannot be fetched again; any other is removed. Throws `output/…` if the folder cannot be read or
 * cleaned; calling it again is safe.
 */
export function recoverOutput(journalled: JournalledOutput): Promise<'published' | 'missing'> {
  const { folder, jobId, path, finished } = journalled;
  return inFolder(folder, async () => {
    const temporaryPath = temporaryPathOf(folder, jobId);
    const temporary = await findTemporary(temporaryPath);
    const standing = await standingAt(path);
    const published = standing !== null && (await isPublished(journalled, standing, temporary));
    // Remove the placeholder first: the temporary file is the proof that it is one.
    if (standing && !published && isPlaceholder(journalled, standing, temporary)) await removeName(path);
    if (temporary && (published || !(await isWhole(temporaryPath, temporary, finished))))
      await removeName(temporaryPath);
    try {
      await withFolder(folder, ({ sync }) => sync());
    } catch (error) {
      // A deleted folder has nothing of ours and needs no sync.
      if (published || (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR')) throw error;
    }
    return published ? 'published' : 'missing';
  });
}
