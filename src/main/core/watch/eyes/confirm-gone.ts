import { relative } from 'node:path';
import { onDisk, type FileIndex } from './file-index.ts';
import { lstatEach } from './lstat-each.ts';
import { isMissing } from './system-code.ts';

interface Suspects {
  readonly root: string;
  readonly index: FileIndex;
  readonly missing: readonly string[];
  readonly missingFolders: readonly string[];
  /** The root is still the one that is watched. */
  readonly isThere: () => Promise<boolean>;
  /** Somebody still counts on the file: another look may have told in the meantime that it is gone. */
  readonly isKnown: (path: string) => boolean;
  readonly isLocal: boolean;
  readonly signal: AbortSignal;
}

/**
 * Which of the missing files are really gone, and forgets those. Absence is not deletion: the root must be there before and after each
 * of them was looked for by its name once more.
 */
export async function confirmGone(suspects: Suspects): Promise<readonly string[]> {
  const { root, index, missing, missingFolders, isThere, isKnown, isLocal, signal } = suspects;
  const folders = missingFolders.flatMap((folder) => index.foldersBelow(folder));
  const files = [...new Set([...missing, ...missingFolders.flatMap((folder) => index.filesBelow(folder))])];
  if (files.length === 0 && folders.length === 0) return [];
  if (!(await isThere())) return [];

  const absent = new Set<string>();
  await lstatEach(
    [...files, ...folders].map((path) => onDisk(root, path)),
    {
      onStats(path, _stats, error) {
        if (error && isMissing(error)) absent.add(relative(root, path));
      },
      isLocal,
      signal,
    },
  );
  if (signal.aborted || !(await isThere())) return [];

  const gone = files.filter((path) => absent.has(path) && isKnown(path));
  for (const path of gone) index.deleteFile(path);
  for (const folder of folders.toReversed()) if (absent.has(folder)) index.closeEmpty(folder);
  return gone;
}
