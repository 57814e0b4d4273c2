import { dirname, isAbsolute, resolve } from 'node:path';
import { AppError } from '../../shared/errors.ts';

/**
 * What a page may let Timbre read and write: files and folders that a person gave to this run of the app, in a dialog of the system or
 * by dropping them, folders in use, and what is inside of these. A page that was taken over can name any other path, and gets no further.
 */
export interface Places {
  /** An absolute path; any other one is none. */
  give(path: string): void;
  /** Throws `request/invalid` for a path that is neither given, nor in use, nor inside of one. Null names none. */
  mustBeKnown(path: string | null, inUse?: readonly (string | null)[]): void;
}

export function createPlaces(): Places {
  const given = new Set<string>();
  return {
    give(path) {
      if (isAbsolute(path)) given.add(resolve(path));
    },
    mustBeKnown(path, inUse = []) {
      if (path === null) return;
      const used = new Set(inUse.flatMap((place) => (place === null ? [] : [resolve(place)])));
      let place = resolve(path);
      while (isAbsolute(path)) {
        if (given.has(place) || used.has(place)) return;
        const parent = dirname(place);
        if (parent === place) break;
        place = parent;
      }
      throw new AppError('request/invalid', `${path} was given by nobody`);
    },
  };
}
