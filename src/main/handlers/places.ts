import { isAbsolute, relative, resolve, sep } from 'node:path';
import { AppError } from '../../shared/app-error.ts';

/**
 * Where a page may let Timbre read and write: in folders that a dialog of the system gave to this run of the app, and in those in use.
 * A page that was taken over can name any other one, and gets no further.
 */
export interface Places {
  /** Gives back what a dialog chose; from now on a page may name it. */
  chosen(folder: string | null): string | null;
  /** Throws `request/invalid` for a folder that is neither chosen, nor in use, nor inside of one. Null names none. */
  mustBeKnown(folder: string | null, inUse: readonly (string | null)[]): void;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export function createPlaces(): Places {
  const known = new Set<string>();
  return {
    chosen(folder) {
      if (folder !== null) known.add(resolve(folder));
      return folder;
    },
    mustBeKnown(folder, inUse) {
      if (folder === null) return;
      const all = [...known, ...inUse.filter((place) => place !== null)];
      if (isAbsolute(folder) && all.some((place) => isWithin(place, folder))) return;
      throw new AppError('request/invalid', `${folder} was chosen in no dialog`);
    },
  };
}
