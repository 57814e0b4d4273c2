import { resolve } from 'node:path';
import { standingAt } from './file-identity.ts';
import { isWhole } from './finished-file.ts';
import { inFolder } from './output-error.ts';
import type { FinishedOutput } from './pending-output.ts';
import { publishTemporary } from './publish-temporary.ts';
import type { NameClaim } from './take-name.ts';
import { temporaryPathOf } from './temporary-file.ts';

/** A result that was finished before and waits for its name. */
export interface WaitingOutput {
  publish(claim: NameClaim): Promise<string>;
}

/**
 * Finds a job's finished temporary file again; undefined where it is gone or is no longer what was finished. `publish` throws
 * `output/…` and leaves the file where it is.
 */
export function reopenOutput(
  folderPath: string,
  jobId: string,
  finished: FinishedOutput,
): Promise<WaitingOutput | undefined> {
  const folder = resolve(folderPath);
  return inFolder(folder, async () => {
    const temporaryPath = temporaryPathOf(folder, jobId);
    const standing = await standingAt(temporaryPath);
    if (!standing || !(await isWhole(temporaryPath, standing, finished))) return undefined;
    const { identity } = standing;
    return { publish: (claim) => inFolder(folder, () => publishTemporary({ folder, temporaryPath, identity }, claim)) };
  });
}
