import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isSame, type Standing } from './file-identity.ts';
import type { FinishedOutput } from './pending-output.ts';

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Whether the file has the size and the content of what was finished. Reads all of it, where the size is right. */
export const hasContentOf = async (
  path: string,
  { sizeBytes }: Pick<Standing, 'sizeBytes'>,
  finished: Omit<FinishedOutput, 'identity'>,
): Promise<boolean> => sizeBytes === finished.sizeBytes && (await sha256Of(path)) === finished.sha256;

/**
 * Whether a temporary file is still the one that was finished. A device may have another number since the machine was started, and
 * some file systems make inode numbers up: then content tells.
 */
export const isWhole = async (path: string, standing: Standing, finished: FinishedOutput): Promise<boolean> =>
  standing.isFile &&
  standing.sizeBytes === finished.sizeBytes &&
  (isSame(standing.identity, finished.identity) || (await hasContentOf(path, standing, finished)));
