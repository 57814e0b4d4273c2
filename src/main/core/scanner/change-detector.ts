import type { BigIntStats } from 'node:fs';
import { relative } from 'node:path';
import type { MonotonicClock } from '../clock.ts';
import { isNotFound } from '../files/errno.ts';
import { signatureOf, signatureText, type Signature } from '../files/identity.ts';
import { nameKey } from '../files/names.ts';
import { createFileIndex, type FileIndex, onDisk, splitPath } from './file-index.ts';
import { watchRules, type WatchRules } from './ignore-rules.ts';
import type { ScannerEvent, DiscoveredFile, WatchedRoot } from './scanner.ts';
import type { StabilityGate } from './stability-gate.ts';
import { listFolder, statMany, type Scan, scanFolder } from './tree-scan.ts';

/** The known files of a root. Reports only differences, some hundred at a time. */
export interface ChangeDetector {
  readonly rules: WatchRules;
  readonly index: FileIndex;
  /** The disk is in this machine, so it answers at once. */
  readonly isLocal: () => boolean;
  /** Records what was just found at a path. */
  recordFile(path: string, kind: DiscoveredFile['kind'], stats: BigIntStats): void;
  /** Records the signature with which a file left the gate. */
  setSignature(path: string, signature: Signature): void;
  /** Emits the recorded files. */
  flush(): void;
  /** Scans a folder and those below it, and emits all changes before it resolves. Rejects only with the signal's reason. */
  scan(from: string, isThorough: boolean): Promise<Scan>;
  /** Emits and forgets those files that were really deleted. */
  reportDeleted(missing: readonly string[], missingFolders: readonly string[]): Promise<void>;
}

interface Dependencies {
  readonly root: WatchedRoot;
  readonly platform: NodeJS.Platform;
  readonly clock: MonotonicClock;
  readonly gate: Pick<StabilityGate, 'has' | 'recheckSoon' | 'remove'>;
  readonly isPresent: () => Promise<boolean>;
  readonly isLocal: () => boolean;
  readonly emit: (event: ScannerEvent) => void;
  /** Called for an unknown folder before it is listed. */
  readonly onFolder: (folder: string) => void;
  /** These folders may be deleted. */
  readonly onMissingFolders: (folders: readonly string[]) => void;
  /** A scan found a name that no event reported; the file last changed at `changedAt`, in milliseconds since 1970. */
  readonly onFound: (path: string, changedAt: number) => void;
  readonly signal: AbortSignal;
}

const batchSize = 500;
/** A file that changed this recently is checked by every scan, even one that only lists names. */
const freshMs = 120_000;

export function createChangeDetector(dependencies: Dependencies): ChangeDetector {
  const { root, platform, clock, gate, isPresent, isLocal, emit, onFolder, onMissingFolders, onFound, signal } =
    dependencies;
  const rules = watchRules(root, platform);
  const index = createFileIndex();
  let batch: DiscoveredFile[] = [];
  /** Path to the monotonic time until which the file is fresh. */
  const fresh = new Map<string, number>();

  function flush(): void {
    if (batch.length === 0 || signal.aborted) return;
    const files = batch;
    batch = [];
    emit({ kind: 'discovered', id: root.id, files });
  }

  function recordFile(path: string, kind: DiscoveredFile['kind'], stats: BigIntStats): void {
    const signature = signatureOf(stats);
    if (signal.aborted || !index.setFile(path, `${kind}:${signatureText(signature)}`)) return;
    const ageMs = clock.wallNow() - Number(stats.mtimeMs);
    if (ageMs < freshMs) fresh.set(path, clock.monotonic() + freshMs);
    // The gate checks the file anyway and reports the result.
    if (gate.has(root.id, path)) gate.recheckSoon(root.id, path, signature);
    else batch.push({ path, kind, signature });
    if (batch.length >= batchSize) flush();
  }

  function mustCheck(path: string, text: string): boolean {
    // Its download may make no event.
    if (text.startsWith('placeholder:')) return true;
    const until = fresh.get(path);
    if (until === undefined) return false;
    if (until > clock.monotonic()) return true;
    fresh.delete(path);
    return false;
  }

  async function reportDeleted(missing: readonly string[], missingFolders: readonly string[]): Promise<void> {
    const paths = await confirmDeletions({
      root: root.path,
      index,
      missing,
      missingFolders,
      isPresent,
      isKnown: (path) => index.findFile(path) !== undefined || gate.has(root.id, path),
      isLocal: isLocal(),
      signal,
    });
    if (paths.length === 0 || signal.aborted) return;
    gate.remove(root.id, paths);
    for (const path of paths) fresh.delete(path);
    for (let at = 0; at < paths.length; at += batchSize) {
      emit({ kind: 'deleted', id: root.id, paths: paths.slice(at, at + batchSize) });
    }
  }

  return {
    rules,
    index,
    isLocal,
    recordFile,
    setSignature(path, signature) {
      const text = signatureText(signature);
      if (!index.findFile(path)?.endsWith(`:${text}`)) index.setFile(path, `file:${text}`);
    },
    flush,
    async scan(from, isThorough) {
      if (from === '') await rules.locateExcluded();
      const scan = await scanFolder({
        rules,
        index,
        from,
        isThorough,
        mustCheck,
        onFile(path, kind, stats) {
          const isNew = index.findFile(path) === undefined;
          recordFile(path, kind, stats);
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
      await reportDeleted(scan.missing, scan.missingFolders);
      signal.throwIfAborted();
      return scan;
    },
    reportDeleted,
  };
}

interface MissingFiles {
  readonly root: string;
  readonly index: FileIndex;
  readonly missing: readonly string[];
  readonly missingFolders: readonly string[];
  /** The watched folder is still at its path. */
  readonly isPresent: () => Promise<boolean>;
  /** False if another scan has reported the deletion meanwhile. */
  readonly isKnown: (path: string) => boolean;
  readonly isLocal: boolean;
  readonly signal: AbortSignal;
}

/**
 * True for a path that is not on the disk in this spelling, but in another one: a disk that ignores case finds a renamed file
 * by its former name, too.
 */
function createSpellingCheck(root: string, isLocal: boolean): (path: string) => Promise<boolean> {
  const listings = new Map<string, Promise<ReadonlySet<string>>>();
  async function list(folder: string): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    await listFolder(onDisk(root, folder), isLocal, ({ name }) => names.add(name)).catch(() => names.clear());
    return names;
  }
  async function isRespelled(path: string): Promise<boolean> {
    if (path === '') return false;
    const { folder, name } = splitPath(path);
    const listing = listings.get(folder) ?? list(folder);
    listings.set(folder, listing);
    const names = await listing;
    if (names.has(name)) return isRespelled(folder);
    const key = nameKey(name);
    return [...names].some((other) => nameKey(other) === key) || isRespelled(folder);
  }
  return isRespelled;
}

/**
 * Returns which of the missing files were really deleted, and forgets those. Absence is not deletion: the
 * root must be present before and after each file is checked once more by its name.
 */
async function confirmDeletions(missingFiles: MissingFiles): Promise<readonly string[]> {
  const { root, index, missing, missingFolders, isPresent, isKnown, isLocal, signal } = missingFiles;
  const folders = missingFolders.flatMap((folder) => index.foldersBelow(folder));
  const files = [...new Set([...missing, ...missingFolders.flatMap((folder) => index.filesBelow(folder))])];
  if (files.length === 0 && folders.length === 0) return [];
  if (!(await isPresent())) return [];

  const absent = new Set<string>();
  const found: string[] = [];
  await statMany(
    [...files, ...folders].map((path) => onDisk(root, path)),
    {
      onStats(path, stats, error) {
        if (stats) found.push(relative(root, path));
        else if (error && isNotFound(error)) absent.add(relative(root, path));
      },
      isLocal,
      signal,
    },
  );
  const isRespelled = createSpellingCheck(root, isLocal);
  for (const path of found) if (!signal.aborted && (await isRespelled(path))) absent.add(path);
  if (signal.aborted || !(await isPresent())) return [];

  const deleted = files.filter((path) => absent.has(path) && isKnown(path));
  for (const path of deleted) index.deleteFile(path);
  for (const folder of folders.toReversed()) if (absent.has(folder)) index.removeEmpty(folder);
  return deleted;
}
