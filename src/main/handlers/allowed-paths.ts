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
  const allowed = new Set<string>();
  return {
    allow(path) {
      if (isAbsolute(path)) allowed.add(resolve(path));
    },
    assertAllowed(path, inUse = []) {
      if (path === null) return;
      const used = new Set(inUse.flatMap((used) => (used === null ? [] : [resolve(used)])));
      let folder = resolve(path);
      while (isAbsolute(path)) {
        if (allowed.has(folder) || used.has(folder)) return;
        const parent = dirname(folder);
        if (parent === folder) break;
        folder = parent;
      }
      throw new AppError('request/invalid', `${path} is not allowed`);
    },
  };
}
