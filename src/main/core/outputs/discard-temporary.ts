import { standingAt } from './file-identity.ts';
import { inFolder } from './output-error.ts';
import { removeName, temporaryPathOf } from './temporary-file.ts';

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
