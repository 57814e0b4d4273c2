import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { WatchExplanation, WatchMode } from '../../../shared/schemas/watch.ts';
import { isInside } from '../files/folders.ts';
import { ignoredFile, ignoredName } from '../scanner/ignore-rules.ts';
import { endingsOf, excludedOf, type WatchFolder } from './folder-store.ts';
import type { WatchedFileView } from './watched-state.ts';

/** Like `WatchExplanation`, with the record of a known file instead of what the page may see of it. */
export type PathExplanation =
  | Exclude<WatchExplanation, { readonly kind: 'file' }>
  | { readonly kind: 'file'; readonly folder: string; readonly view: WatchedFileView };

interface ExplainedFolder {
  readonly folder: WatchFolder;
  readonly mode: WatchMode;
  view(path: string): WatchedFileView | undefined;
}

/** Explains one file of a folder: the first rule that excludes it, or its state. */
async function explainIn(
  { folder: { settings }, mode, view }: ExplainedFolder,
  path: string,
): Promise<PathExplanation> {
  // Folders may have the same name.
  const folder = settings.path;
  const inside = relative(settings.path, path);
  // A folder that is offline may be on a disk that never answers, and what it holds stays.
  const stats = mode === 'offline' ? null : await lstat(path).catch(() => undefined);
  const known = view(inside);
  if (known?.record.movedTo) return { kind: 'file', folder, view: known };
  if (stats === undefined) return { kind: 'missing' };
  if (excludedOf(settings).some((excluded) => isInside(excluded, path))) return { kind: 'excluded', folder };
  const folders = dirname(inside) === '.' ? [] : dirname(inside).split(sep);
  if (folders.length > 0 && !settings.isRecursive) return { kind: 'subfolder', folder };
  const byName =
    folders.map(ignoredName).find((rule) => rule !== null) ?? ignoredFile(basename(path), endingsOf(settings));
  if (byName) return { ...byName, folder };
  if (stats?.isSymbolicLink()) return { kind: 'link', folder };
  if (mode === 'paused' || mode === 'offline') return { kind: mode, folder };
  return known ? { kind: 'file', folder, view: known } : { kind: 'unseen', folder };
}

/** Resolves links in the path of a file, but keeps the file itself. */
async function withoutLinks(path: string): Promise<string> {
  const folder = dirname(path);
  return join(await realpath(folder).catch(() => folder), basename(path));
}

/** Explains why a file is or is not converted, by the innermost watched folder that contains it, whatever links lead there. */
export async function explainPath(folders: readonly ExplainedFolder[], path: string): Promise<PathExplanation> {
  const innermostFirst = folders.toSorted((a, b) => b.folder.settings.path.length - a.folder.settings.path.length);
  const named = innermostFirst.find(({ folder }) => isInside(folder.settings.path, path));
  if (named) return explainIn(named, path);
  const real = await withoutLinks(path);
  for (const candidate of innermostFirst) {
    const root = candidate.folder.settings.path;
    // See `explainIn`.
    if (candidate.mode === 'offline') continue;
    const realRoot = await realpath(root).catch(() => root);
    if (isInside(realRoot, real)) return explainIn(candidate, join(root, relative(realRoot, real)));
  }
  return { kind: 'outside' };
}
