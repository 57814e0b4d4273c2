import { join } from 'node:path';
import type { WatchFolder } from './watch-folder.ts';
import type { WatchedRoot } from './eyes/eyes.ts';
import { doneFolder } from './hidden-source.ts';
import { isInside } from './source-end.ts';

/** Folders in a watched one that are not looked into: results and originals that were moved are no new recordings. */
export function excludedOf({ path, outputFolder, afterwards }: WatchFolder['settings']): readonly string[] {
  const results = outputFolder !== null && outputFolder !== path && isInside(path, outputFolder) ? [outputFolder] : [];
  return afterwards === 'done' ? [...results, join(path, doneFolder)] : results;
}

export const rootOf = ({ id, settings, identity }: Pick<WatchFolder, 'id' | 'settings' | 'identity'>): WatchedRoot => ({
  id,
  path: settings.path,
  identity,
  isRecursive: settings.isRecursive,
  endings: settings.endings,
  excluded: excludedOf(settings),
});
