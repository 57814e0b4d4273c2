import { lstat } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import type { WatchAnswer, WatchMode, WatchPreview, WatchSettings } from '../../../shared/schemas/watch.ts';
import { ignoredFile, ignoredName } from '../scanner/ignore-rules.ts';
import type { Scanner, ScannerEvent, MeasuredFile, RootIdentity, SeenFile } from '../scanner/scanner.ts';
import type { WatchedFileView } from './decisions.ts';
import { excludedOf, rootOf, type WatchFolder } from './folder-store.ts';
import { isInside } from './source-disposal.ts';

const shownFiles = 500;

interface Asked {
  readonly eyes: Scanner;
  /** One that no folder has. */
  readonly id: string;
  readonly settings: WatchSettings;
  readonly identity: RootIdentity;
  /** False for a file that would not be converted although it is one: it was, or was left alone. */
  isNew(file: SeenFile): boolean;
  readonly signal: AbortSignal;
}

const byName = (a: { readonly path: string }, b: { readonly path: string }) =>
  a.path.localeCompare(b.path, undefined, { numeric: true });

/**
 * Looks over a folder once and measures what would be converted. Nothing is kept, and nothing is written into the folder. Rejects with
 * the signal's reason, and as `checkRoot` where there is no such folder.
 */
export async function previewFolder({ eyes, id, settings, identity, isNew, signal }: Asked): Promise<WatchPreview> {
  const found: string[] = [];
  const measured: MeasuredFile[] = [];
  let links = 0;
  let passedOver = 0;

  const { promise, resolve, reject } = Promise.withResolvers<void>();
  function hear(news: ScannerEvent): void {
    if (news.id !== id) return;
    if (news.kind === 'seen') {
      for (const file of news.files) {
        if (file.kind === 'link') links += 1;
        else if (file.kind === 'file' && isNew(file)) found.push(file.path);
      }
    } else if (news.kind === 'scanned') {
      ({ passedOver } = news);
      if (found.length === 0) resolve();
      else eyes.measure(id, found);
    } else if (news.kind === 'measured') {
      measured.push(...news.files);
      if (measured.length >= found.length) resolve();
    } else if (news.kind === 'gone') {
      // Measured in vain: it is missing in the answer, as it is in the folder.
      const gone = new Set(news.paths);
      for (const path of gone)
        if (found.includes(path)) measured.push({ path, seconds: null, problem: { code: 'input/missing' } });
      if (measured.length >= found.length && found.length > 0) resolve();
    }
  }
  const stopHearing = eyes.onEvent(hear);
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    eyes.watch(rootOf({ id, settings, identity }));
    await promise;
  } finally {
    stopHearing();
    signal.removeEventListener('abort', abort);
    eyes.unwatch(id);
  }
  const whole = measured.filter(({ problem }) => problem === null);
  return {
    files: [...measured].sort(byName).slice(0, shownFiles),
    count: whole.length,
    seconds: whole.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
    unmeasured: whole.filter(({ seconds }) => seconds === null).length,
    refused: measured.length - whole.length,
    passedOver,
    links,
  };
}

/** As the wire's answer, with the line of a file that is known instead of what a page may see of it. */
export type PathAnswer =
  | Exclude<WatchAnswer, { readonly kind: 'file' }>
  | { readonly kind: 'file'; readonly folder: string; readonly view: WatchedFileView };

interface ExplainPathAsked {
  readonly folder: WatchFolder;
  readonly mode: WatchMode;
  view(path: string): WatchedFileView | undefined;
}

/** Why a file of a folder is or is not converted: the first rule that keeps it out, or what became of it. */
async function explainIn({ folder: { settings }, mode, view }: ExplainPathAsked, path: string): Promise<PathAnswer> {
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
    folders.map(ignoredName).find((rule) => rule !== null) ?? ignoredFile(basename(path), settings.endings);
  if (byName) return { ...byName, folder };
  if (stats.isSymbolicLink()) return { kind: 'link', folder };
  if (mode === 'paused' || mode === 'offline') return { kind: mode, folder };
  return known ? { kind: 'file', folder, view: known } : { kind: 'unseen', folder };
}

/** Why a file is or is not converted, by the folder that it lies in. */
export async function explainPath(folders: readonly ExplainPathAsked[], path: string): Promise<PathAnswer> {
  const asked = folders.find(({ folder }) => isInside(folder.settings.path, path));
  return asked ? explainIn(asked, path) : { kind: 'outside' };
}
