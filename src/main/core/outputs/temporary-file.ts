import { open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './output-error.ts';

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
    const code = codeOf(error);
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
    if (codeOf(error) !== 'EEXIST') throw error;
    await removeName(path);
    return open(path, 'wx');
  }
}
