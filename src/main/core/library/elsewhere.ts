import { basename, dirname, join } from 'node:path';
import type { EntryFile } from './entry-files.ts';

const folderName = 'Elsewhere';

/** Where a file of an imported entry is said to lie that is not on this computer: a folder below that for sounds, which nobody makes. */
export const elsewhereIn = (folder: string, name: string): string => join(folder, folderName, name);

/** True of a file that only an import has told of: nobody has ever seen it here. */
export const isElsewhere = ({ path, identity }: EntryFile): boolean =>
  basename(dirname(path)) === folderName && (identity === null || identity.inode === '0');
