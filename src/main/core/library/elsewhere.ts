import { basename, dirname, join } from 'node:path';
import { legalName } from '../outputs/legal-name.ts';
import type { EntryFile } from './entry-files.ts';

const folderName = 'Elsewhere';

/**
 * Where a file of an imported entry is said to lie that is not on this computer: in a folder below that for sounds, which nobody makes.
 * It has the name that it had, legal here or not: nothing is written under it.
 */
export function elsewhereIn(folder: string, name: string): string {
  const plain = name.replace(/[\\/\0]/g, '_');
  return join(folder, folderName, ['', '.', '..'].includes(plain) ? legalName('') : plain);
}

/** True of a file that only an import has told of: nobody has ever seen it here. */
export const isElsewhere = ({ path, identity }: EntryFile): boolean =>
  basename(dirname(path)) === folderName && (identity === null || identity.inode === '0');
