import type { BigIntStats } from 'node:fs';
import { relative } from 'node:path';
import type { MonotonicClock } from '../clock.ts';
import { isNotFound } from '../files/errno.ts';
import { signatureOf, signatureText, type Signature } from '../files/identity.ts';
import { createFileIndex, type FileIndex, onDisk } from './file-index.ts';
import { watchRules, type WatchRules } from './ignore-rules.ts';
import type { ScannerEvent, DiscoveredFile, WatchedRoot } from './scanner.ts';
import type { StabilityGate } from './stability-gate.ts';
import { statMany, type Scan, scanFolder } from './tree-scan.ts';

interface Suspects {
  readonly root: string;
  readonly index: FileIndex;
  readonly missing: readonly string[];
  readonly missingFolders: readonly string[];
  /** The root is still the one that is watched. */
  readonly isThere: () => Promise<boolean>;
  /** Somebody still counts on the file: another look may have told in the meantime that it is gone. */
  readonly isKnown: (path: string) => boolean;
  readonly isLocal: boolean;
  readonly signal: AbortSignal;
}

/**
 * Which of the missing files are really gone, and forgets those. Absence is not deletion: the root must be there before and after each
 * of them was looked for by its name once more.
 */
export async function confirmDeletions(suspects: Suspects): Promise<readonly string[]> {
  const { root, index, missing, missingFolders, isThere, isKnown, isLocal, signal } = suspects;
  const folders = missingFolders.flatMap((folder) => index.foldersBelow(folder));
  const files = [...new Set([...missing, ...missingFolders.flatMap((folder) => index.filesBelow(folder))])];
  if (files.length === 0 && folders.length === 0) return [];
  if (!(await isThere())) return [];

  const absent = new Set<string>();
  await statMany(
    [...files, ...folders].map((path) => onDisk(root, path)),
    {
      onStats(path, _stats, error) {
        if (error && isNotFound(error)) absent.add(relative(root, path));
      },
      isLocal,
      signal,
    },
  );
  if (signal.aborted || !(await isThere())) return [];

  const gone = files.filter((path) => absent.has(path) && isKnown(path));
  for (const path of gone) index.deleteFile(path);
  for (const folder of folders.toReversed()) if (absent.has(folder)) index.closeEmpty(folder);
  return gone;
}

/** What is known of a root's files, and how news of them are told: differences only, some hundred at a time. */
export interface ChangeDetector {
  readonly rules: WatchRules;
  readonly index: FileIndex;
  /** Its disk is in this machine and answers at once. */
  readonly isLocal: () => boolean;
  /** Notes a file as it was looked at just now. */
  note(path: string, kind: DiscoveredFile['kind'], stats: BigIntStats): void;
  /** The file has left the gate in this shape. */
  settle(path: string, signature: Signature): void;
  /** Tells what was noted. */
  flush(): void;
  /** Looks over a folder and what is below it, and tells all of it before it resolves. Rejects with the signal's reason only. */
  look(from: string, isThorough: boolean): Promise<Scan>;
  /** Tells those files that are really gone, and forgets them. */
  findGone(missing: readonly string[], missingFolders: readonly string[]): Promise<void>;
}

interface Dependencies {
  readonly root: WatchedRoot;
  readonly platform: NodeJS.Platform;
  readonly clock: MonotonicClock;
  readonly gate: StabilityGate;
  readonly isThere: () => Promise<boolean>;
  readonly isLocal: () => boolean;
  readonly tell: (news: ScannerEvent) => void;
  /** A folder that was not known, before it is listed. */
  readonly onFolder: (folder: string) => void;
  /** A folder may be gone, with whatever listens to it. */
  readonly onMissingFolders: (folders: readonly string[]) => void;
  /** A name that no hint, but a look has found; the file last changed at `changedAt`, in milliseconds since 1970. */
  readonly onFound: (path: string, changedAt: number) => void;
  readonly signal: AbortSignal;
}

const batchSize = 500;
/** A file that changed so recently is looked at by each look, even where only names are read. */
const freshMs = 120_000;

export function createChangeDetector(dependencies: Dependencies): ChangeDetector {
  const { root, platform, clock, gate, isThere, isLocal, tell, onFolder, onMissingFolders, onFound, signal } =
    dependencies;
  const rules = watchRules(root, platform);
  const index = createFileIndex();
  let batch: DiscoveredFile[] = [];
  /** Path to the monotonic time until which it is fresh. */
  const fresh = new Map<string, number>();

  function flush(): void {
    if (batch.length === 0 || signal.aborted) return;
    const files = batch;
    batch = [];
    tell({ kind: 'discovered', id: root.id, files });
  }

  function put(path: string, kind: DiscoveredFile['kind'], stats: BigIntStats): void {
    const signature = signatureOf(stats);
    if (signal.aborted || !index.putFile(path, `${kind}:${signatureText(signature)}`)) return;
    const ageMs = clock.wallNow() - Number(stats.mtimeMs);
    if (ageMs < freshMs) fresh.set(path, clock.monotonic() + freshMs);
    // At the gate it is looked at anyway; whoever asked hears what comes of it.
    if (gate.has(root.id, path)) gate.nudge(root.id, path);
    else batch.push({ path, kind, signature });
    if (batch.length >= batchSize) flush();
  }

  function isFresh(path: string): boolean {
    const until = fresh.get(path);
    if (until === undefined) return false;
    if (until > clock.monotonic()) return true;
    fresh.delete(path);
    return false;
  }

  async function findGone(missing: readonly string[], missingFolders: readonly string[]): Promise<void> {
    const paths = await confirmDeletions({
      root: root.path,
      index,
      missing,
      missingFolders,
      isThere,
      isKnown: (path) => index.fileText(path) !== undefined || gate.has(root.id, path),
      isLocal: isLocal(),
      signal,
    });
    if (paths.length === 0 || signal.aborted) return;
    gate.drop(root.id, paths);
    for (const path of paths) fresh.delete(path);
    for (let at = 0; at < paths.length; at += batchSize) {
      tell({ kind: 'deleted', id: root.id, paths: paths.slice(at, at + batchSize) });
    }
  }

  return {
    rules,
    index,
    isLocal,
    note: put,
    settle(path, signature) {
      const text = signatureText(signature);
      if (!index.fileText(path)?.endsWith(`:${text}`)) index.putFile(path, `file:${text}`);
    },
    flush,
    async look(from, isThorough) {
      const scan = await scanFolder({
        rules,
        index,
        from,
        isThorough,
        isFresh,
        onFile(path, kind, stats) {
          const isNew = index.fileText(path) === undefined;
          put(path, kind, stats);
          if (isNew) onFound(path, Number(stats.ctimeMs));
        },
        onFolder,
        isLocal: isLocal(),
        monotonic: clock.monotonic,
        signal,
      });
      flush();
      if (scan.missingFolders.length > 0) {
        onMissingFolders(scan.missingFolders.flatMap((folder) => index.foldersBelow(folder)));
      }
      await findGone(scan.missing, scan.missingFolders);
      signal.throwIfAborted();
      return scan;
    },
    findGone,
  };
}
