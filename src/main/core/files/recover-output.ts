import { fatTimeStepMs, isSameFile, fileStampAt, type FileStamp } from './identity.ts';
import { type FinishedOutput, hasSameContent, isFinishedFile } from './content.ts';
import { inFolder, isNotFound } from './errno.ts';
import { withFolder } from './folders.ts';
import { type OutputName, removeName, temporaryPathOf } from './publish.ts';

/** The journal's record when the process crashed in `publishing`, with the last name that was tried. */
export interface JournalledOutput extends OutputName {
  /** Folder of the final name. */
  readonly folder: string;
  readonly jobId: string;
  readonly finished: FinishedOutput;
}

/** Returns the temporary file, or null. A folder or link of that name is not ours. */
async function findTemporary(path: string): Promise<FileStamp | null> {
  const stamp = await fileStampAt(path);
  return stamp?.isFile ? stamp : null;
}

/**
 * True if the file at the final name is this job's result. While the temporary file exists, both
 * must be the same file, because a foreign file or another job's result may have equal content.
 * Without it, equal content is enough: only publishing removes it, and the device number may have
 * changed. Inodes count only for linked files; file systems without links make them up.
 */
async function isPublished(
  { path, method, finished }: JournalledOutput,
  stamp: FileStamp,
  temporary: FileStamp | null,
): Promise<boolean> {
  if (!stamp.isFile) return false;
  if (method === 'link' && isSameFile(stamp.identity, finished.identity)) return true;
  if (temporary) return method === 'link' && isSameFile(stamp.identity, temporary.identity);
  return hasSameContent(path, stamp, finished);
}

/**
 * True if the file at the final name is our empty placeholder. The name was free when the journal
 * recorded it, the result still waits beside it, and the file is empty. An empty file that another
 * program created there in between is indistinguishable, but holds nothing.
 */
const isPlaceholder = ({ method }: JournalledOutput, stamp: FileStamp, temporary: FileStamp | null): boolean =>
  method === 'placeholder' &&
  stamp.isFile &&
  stamp.sizeBytes === 0 &&
  temporary !== null &&
  stamp.modifiedMs >= temporary.modifiedMs - fatTimeStepMs;

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
    const stamp = await fileStampAt(path);
    const published = stamp !== null && (await isPublished(journalled, stamp, temporary));
    // Remove the placeholder first: the temporary file is the proof that it is one.
    if (stamp && !published && isPlaceholder(journalled, stamp, temporary)) await removeName(path);
    if (temporary && (published || !(await isFinishedFile(temporaryPath, temporary, finished))))
      await removeName(temporaryPath);
    try {
      await withFolder(folder, ({ sync }) => sync());
    } catch (error) {
      // A deleted folder has nothing of ours and needs no sync.
      if (published || !isNotFound(error)) throw error;
    }
    return published ? 'published' : 'missing';
  });
}
