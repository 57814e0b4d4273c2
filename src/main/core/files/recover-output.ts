import { isSameFile, standingAt, type Standing } from './identity.ts';
import { hasContentOf, isWhole } from './content.ts';
import { errnoOf, inFolder } from './errno.ts';
import { withFolder } from './folders.ts';
import type { FinishedOutput } from './pending-output.ts';
import { removeName, temporaryPathOf } from './publish.ts';

/** What the journal held when the process was killed in `publishing`. */
export interface JournalledOutput {
  /** The folder of the final name. */
  readonly folder: string;
  readonly jobId: string;
  /** The name that was being taken last. */
  readonly path: string;
  readonly how: 'link' | 'placeholder';
  readonly finished: FinishedOutput;
}

/** FAT writes times in steps of two seconds. */
const timeStepMs = 2000;

/** What stands at the temporary name, if it is a file. A folder or link of that name is not ours. */
async function temporaryAt(path: string): Promise<Standing | null> {
  const standing = await standingAt(path);
  return standing?.isFile ? standing : null;
}

/**
 * Whether the file at the final name is this job's result. While the temporary file is there, only one and the same file can be: an
 * alien, or another job's result, may have equal content. Once it is gone, only publishing can have taken it away, and equal content
 * is enough: a device may have another number today. Inode numbers count for files that were linked only; file systems without
 * links make theirs up anew each time.
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
 * Whether the file at the final name is the empty one that was to hold it for us. The name was free when the journal took it down,
 * the result was still waiting beside it, and nobody has put anything in since. A file that somebody else made there, empty and under
 * this very name, between that look and this start could not be told from it; it would hold nothing.
 */
const isPlaceholder = ({ how }: JournalledOutput, standing: Standing, temporary: Standing | null): boolean =>
  how === 'placeholder' &&
  standing.isFile &&
  standing.sizeBytes === 0 &&
  temporary !== null &&
  standing.modifiedMs >= temporary.modifiedMs - timeStepMs;

/**
 * Looks what a kill in `publishing` has left, and cleans up. `published`: the result stands at its final name, whole, and its name is
 * safe; the temporary file is gone. `missing`: nothing of ours stands there. A temporary file that is still whole is then left for
 * `reopenOutput`, because sound that came with the service's reply cannot be fetched again; any other is removed. Throws `output/…`
 * where the folder cannot be read or cleaned; asking again later is safe.
 */
export function recoverOutput(journalled: JournalledOutput): Promise<'published' | 'missing'> {
  const { folder, jobId, path, finished } = journalled;
  return inFolder(folder, async () => {
    const temporaryPath = temporaryPathOf(folder, jobId);
    const temporary = await temporaryAt(temporaryPath);
    const standing = await standingAt(path);
    const published = standing !== null && (await isPublished(journalled, standing, temporary));
    // The placeholder before the temporary file, which is the proof that it is one.
    if (standing && !published && isPlaceholder(journalled, standing, temporary)) await removeName(path);
    if (temporary && (published || !(await isWhole(temporaryPath, temporary, finished))))
      await removeName(temporaryPath);
    try {
      await withFolder(folder, ({ sync }) => sync());
    } catch (error) {
      // A folder that is gone has nothing of ours, and nothing to make safe.
      if (published || (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR')) throw error;
    }
    return published ? 'published' : 'missing';
  });
}
