import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** File endings that people use for sound. Inside a folder only these are taken; a file given by name is judged by its bytes. */
const soundEndings: ReadonlySet<string> = new Set(
  'wav wave mp3 flac ogg oga opus m4a mp4 aac webm aif aiff caf wma amr m4b'.split(' ').map((ending) => `.${ending}`),
);

export interface FoundFile {
  readonly path: string;
  /** Folders between the root and the file, joined as this system joins them; empty at the root. */
  readonly subfolder: string;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Files that were passed over because their ending is not one of sound. */
  readonly leftOut: number;
  /** Folders that could not be read. */
  readonly unreadable: readonly string[];
}

const byName = (a: Dirent, b: Dirent) => a.name.localeCompare(b.name, undefined, { numeric: true });
const isHidden = (name: string) => name.startsWith('.');

/** Walks a folder in the order in which people see it. Links are not followed: one could lead out of the folder, or in circles. */
export async function findSoundFiles(root: string, signal: AbortSignal): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  const unreadable: string[] = [];
  let leftOut = 0;

  async function walk(subfolder: string): Promise<void> {
    signal.throwIfAborted();
    const folder = join(root, subfolder);
    let entries: Dirent[];
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch {
      unreadable.push(folder);
      return;
    }
    for (const entry of entries.sort(byName)) {
      if (isHidden(entry.name)) continue;
      if (entry.isDirectory()) await walk(join(subfolder, entry.name));
      else if (!entry.isFile()) continue;
      else if (soundEndings.has(extname(entry.name).toLowerCase()))
        files.push({ path: join(folder, entry.name), subfolder });
      else leftOut += 1;
    }
  }

  await walk('');
  return { files, leftOut, unreadable };
}
