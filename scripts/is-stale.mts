import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mts';

/** Sources of the bundles. */
const sources = ['src', 'electron.vite.config.ts', 'package-lock.json', 'scripts/speech-data.mts'];
/** Touched after each successful build. */
export const stamp = join(root, 'out/.built');

function* files(path: string): Generator<string> {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path)) yield* files(join(path, name));
}

const timeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** True if a source is newer than the bundles in `out`, or there are no bundles. */
export function isStale(): boolean {
  const built = timeOf(stamp);
  if (built === 0) return true;
  for (const source of sources) {
    for (const file of files(join(root, source))) if (timeOf(file) > built) return true;
  }
  return false;
}
