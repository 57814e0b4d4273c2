import { dirname, isAbsolute, resolve } from 'node:path';
import { AppError } from '../../shared/errors.ts';

/**
 * Paths the page may use: files and folders that the user chose in a system dialog or dropped in
 * this run, folders in use, and everything inside them. A compromised page cannot reach any other
 * path.
 */
export interface AllowedPaths {
  /** Ignores relative paths. */
  allow(path: string): void;
  /**
   * Throws `request/invalid` for a path that is not allowed, in use, or inside such a path. Null
   * always passes.
   */
  assertAllowed(path: string | null, inUse?: readonly (string | null)[]): void;
}

export function createAllowedPaths(): AllowedPaths {
  const given = new Set<string>();
  return {
    allow(path) {
      if (isAbsolute(path)) given.add(resolve(path));
    },
    assertAllowed(path, inUse = []) {
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
