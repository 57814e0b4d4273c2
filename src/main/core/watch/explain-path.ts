import { lstat } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import type { WatchAnswer, WatchMode } from '../../../shared/wire/watch.ts';
import { passedOverFile, passedOverName } from './eyes/passed-over.ts';
import type { FileView } from './to-watched-state.ts';
import { excludedOf } from './folder-rules.ts';
import { isInside } from './source-end.ts';
import type { WatchFolder } from './watch-folder.ts';

/** As the wire's answer, with the line of a file that is known instead of what a page may see of it. */
export type PathAnswer =
  | Exclude<WatchAnswer, { readonly kind: 'file' }>
  | { readonly kind: 'file'; readonly folder: string; readonly view: FileView };

interface Asked {
  readonly folder: WatchFolder;
  readonly mode: WatchMode;
  view(path: string): FileView | undefined;
}

/** Why a file of a folder is or is not converted: the first rule that keeps it out, or what became of it. */
async function explainIn({ folder: { settings }, mode, view }: Asked, path: string): Promise<PathAnswer> {
  const folder = basename(settings.path);
  const inside = relative(settings.path, path);
  const stats = await lstat(path).catch(() => undefined);
  const known = view(inside);
  if (known?.line.movedTo) return { kind: 'file', folder, view: known };
  if (!stats) return { kind: 'missing' };
  if (excludedOf(settings).some((excluded) => isInside(excluded, path))) return { kind: 'excluded', folder };
  const folders = dirname(inside) === '.' ? [] : dirname(inside).split(sep);
  if (folders.length > 0 && !settings.isRecursive) return { kind: 'subfolder', folder };
  const byName =
    folders.map(passedOverName).find((rule) => rule !== null) ?? passedOverFile(basename(path), settings.endings);
  if (byName) return { ...byName, folder };
  if (stats.isSymbolicLink()) return { kind: 'link', folder };
  if (mode === 'paused' || mode === 'offline') return { kind: mode, folder };
  return known ? { kind: 'file', folder, view: known } : { kind: 'unseen', folder };
}

/** Why a file is or is not converted, by the folder that it lies in. */
export async function explainPath(folders: readonly Asked[], path: string): Promise<PathAnswer> {
  const asked = folders.find(({ folder }) => isInside(folder.settings.path, path));
  return asked ? explainIn(asked, path) : { kind: 'outside' };
}
