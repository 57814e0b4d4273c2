import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { WatchSettings } from '../../../shared/schemas/watch.ts';
import { transaction } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { canonicalPath, folderKey } from '../files/canonical-path.ts';
import { checkRoot, placeMarker, rootIdentity } from '../scanner/root-identity.ts';
import type { RootIdentity } from '../scanner/scanner.ts';
import type { FileStore } from './file-store.ts';
import type { FolderStore, WatchFolder } from './folder-store.ts';
import { conversionHash, type Ledger, speechHash } from './ledger.ts';
import { isInside } from '../files/folders.ts';

/** A folder that is no longer watched and has files in common with another one. Its paths are canonical. */
interface FormerFolder {
  readonly id: string;
  readonly path: string;
  readonly otherPath: string;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly writes: Pick<WriteGate, 'write'>;
  readonly folders: FolderStore;
  readonly records: Pick<FileStore, 'redecideAll' | 'forgetSettled'>;
  readonly ledger: Pick<Ledger, 'settingsHashes' | 'forgetSettled' | 'copyUnsettled'>;
  /** True if this process watches the folder. */
  isWatchedHere(id: string): boolean;
}

/**
 * Resolves paths before the lock is taken, so that nothing waits for a disk while holding it. Two mounts of a folder have the
 * path of the first.
 */
async function canonicalPaths(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const byKey = new Map<string, string>();
  for (const path of paths) {
    const key = await folderKey(path);
    const canonical = byKey.get(key) ?? (await canonicalPath(path).catch(() => path));
    byKey.set(key, canonical);
    found.set(path, canonical);
  }
  return found;
}

/** Saves which folders are watched, and how. `save` and `run` return the folder's id. */
interface FolderRegistry {
  /** See `Watch`. */
  save(id: string | null, settings: WatchSettings, voice: Voice): Promise<string>;
  /** See `Watch`. */
  run(settings: WatchSettings, voice: Voice, answer: 'convert' | 'leave'): Promise<string>;
  remove(id: string): void;
}

export const folderNotFound = (id: string): AppError => new AppError('request/invalid', `no watched folder ${id}`);

export const withResolvedPaths = (settings: WatchSettings): WatchSettings => ({
  ...settings,
  path: resolve(settings.path),
  outputFolder: settings.outputFolder === null ? null : resolve(settings.outputFolder),
});

const isEmpty = async (folder: string): Promise<boolean> => (await readdir(folder)).length === 0;

export function createFolderRegistry({
  database,
  writes,
  folders,
  records,
  ledger,
  isWatchedHere,
}: Dependencies): FolderRegistry {
  /**
   * The folder that a command watched, if it was at another path then: it was moved, or its disk is somewhere else now. Of a
   * folder that is there too, this one is a copy, whose marker was copied with it.
   */
  async function findMoved({ marker, device, inode }: RootIdentity): Promise<string | null> {
    for (const { id, isListed, identity, settings } of folders.list()) {
      if (isListed || marker === null || identity.marker !== marker) continue;
      const isThere = (await checkRoot(settings.path, identity)) === 'present';
      const there = isThere ? await rootIdentity(settings.path).catch(() => null) : null;
      if (there === null || (there.device === device && there.inode === inode)) return id;
    }
    return null;
  }

  /**
   * Prevents two folders from watching the same files, which would be paid for twice. Runs `write` under the write lock with the
   * known folder: the one with this id or, for null, an unlisted one, which is the moved one or has the same path. Throws
   * `data/not-writable`, and `watch/overlaps` if another watched folder contains it or is in it.
   */
  async function writeUnlessOverlapping<T>(
    id: string | null,
    settings: WatchSettings,
    write: (known: WatchFolder | undefined, former: readonly FormerFolder[]) => T,
    moved: string | null = null,
  ): Promise<T> {
    const { path, isRecursive } = settings;
    for (;;) {
      const canonicalByPath = await canonicalPaths([path, ...folders.list().map((folder) => folder.settings.path)]);
      const canonicalPathOf = (folder: WatchFolder) =>
        canonicalByPath.get(folder.settings.path) ?? folder.settings.path;
      const ownPath = canonicalByPath.get(path) ?? path;
      const checkAndWrite = () => {
        const all = folders.list();
        // A folder was added meanwhile, whose path is not resolved yet.
        if (all.some((folder) => !canonicalByPath.has(folder.settings.path))) return null;
        const isKnown = (folder: WatchFolder) =>
          id === null ? !folder.isListed && canonicalPathOf(folder) === ownPath : folder.id === id;
        const known = all.find((folder) => folder.id === moved && !folder.isListed) ?? all.find(isKnown);
        const overlapping = all.filter((folder) => {
          const otherPath = canonicalPathOf(folder);
          const overlaps =
            otherPath === ownPath ||
            (isRecursive && isInside(ownPath, otherPath)) ||
            (folder.settings.isRecursive && isInside(otherPath, ownPath));
          return overlaps && folder.id !== known?.id;
        });
        const watched = overlapping.find(
          (folder) => folder.isListed || isWatchedHere(folder.id) || folders.isLeasedElsewhere(folder.id),
        );
        if (watched) {
          const facts = { folder: watched.settings.path };
          throw new AppError('watch/overlaps', `${path} and ${facts.folder}`, { facts });
        }
        const former = overlapping.map((one) => ({ id: one.id, path: canonicalPathOf(one), otherPath: ownPath }));
        return { result: write(known, former) };
      };
      const written = writes.write(() => transaction(database, checkAndWrite));
      if (written) return written.result;
    }
  }

  /** Changes the settings of a known folder. Files converted with the old ones are offered for conversion. */
  function change(
    { id, settings: before }: WatchFolder,
    to: Partial<WatchFolder> & Pick<WatchFolder, 'settings'>,
  ): string {
    const { settings } = to;
    folders.update(id, to);
    const isSame =
      conversionHash(before) === conversionHash(settings) &&
      (settings.speech === null || speechHash(before) === speechHash(settings)) &&
      before.hasSubfolderVoices === settings.hasSubfolderVoices;
    if (!isSame) records.redecideAll(id, ledger.settingsHashes(id, settings));
    return id;
  }

  function add(
    folder: Pick<WatchFolder, 'settings' | 'voice' | 'identity' | 'isListed'>,
    former: readonly FormerFolder[],
  ): string {
    // A row that was damaged is mended, so that nothing of the folder is paid for again.
    const id = folders.findInvalidId(folder.settings.path) ?? randomUUID();
    folders.add({ ...folder, id, isPaused: false, baselineStage: 'scanning' });
    // Nor is what a removed folder, above it or in it, still has in the queue.
    for (const { id: formerId, path, otherPath } of former) {
      ledger.copyUnsettled(formerId, id, (file) => {
        const whole = join(path, file);
        return isInside(otherPath, whole) ? relative(otherPath, whole) : null;
      });
    }
    return id;
  }

  /** Called first, so that no marker is written into a folder that is then rejected. */
  const checkOverlaps = (id: string | null, settings: WatchSettings) =>
    writeUnlessOverlapping(id, settings, (known) => known);

  return {
    async save(id, requested, voice) {
      const current = id === null ? undefined : folders.find(id);
      if (id !== null && !current) throw folderNotFound(id);
      const settings = withResolvedPaths(current ? { ...requested, path: current.settings.path } : requested);
      const before = await checkOverlaps(id, settings);
      const isAway = before && (await checkRoot(settings.path, before.identity)) !== 'present';
      const identity = isAway ? before.identity : await placeMarker(settings.path);
      const write = (known: WatchFolder | undefined, former: readonly FormerFolder[]) => {
        if (known) return change(known, { settings, voice, identity, isListed: true });
        if (id !== null) throw folderNotFound(id);
        return add({ settings, voice, identity, isListed: true }, former);
      };
      return writeUnlessOverlapping(id, settings, write, id === null ? await findMoved(identity) : null);
    },
    async run(requested, voice, answer) {
      const settings = withResolvedPaths(requested);
      const { path } = settings;
      const before = await checkOverlaps(null, settings);
      // An empty mount point: a service may start before its disk is mounted. A non-empty folder is a new one.
      const isAway = before && (await checkRoot(path, before.identity)) === 'another' && (await isEmpty(path));
      const identity = isAway ? before.identity : await placeMarker(path);
      const leaseAndWrite = (known: WatchFolder | undefined, former: readonly FormerFolder[]) => {
        // Acquires the lease in the same transaction, so that another command that starts now sees it.
        const lease = (id: string) => {
          if (folders.acquireLease(id)) return id;
          throw new AppError('watch/elsewhere', `${path} is watched`, { facts: { folder: path } });
        };
        if (!known) return lease(add({ settings, voice, identity, isListed: false }, former));
        lease(known.id);
        // Files that an earlier command left are converted now.
        const isAsked = answer === 'convert' && known.baselineStage === 'answered';
        return change(known, { settings, voice, identity, ...(isAsked && { baselineStage: 'asking' }) });
      };
      return writeUnlessOverlapping(null, settings, leaseAndWrite, await findMoved(identity));
    },
    remove(id) {
      transaction(database, () => {
        // The command that watches it continues and must still know what it has paid for.
        if (folders.isLeasedElsewhere(id)) {
          folders.update(id, { isListed: false });
          return;
        }
        // If it is added again, what is in the queue is not submitted twice. The rest is asked about, as in any folder.
        if (ledger.forgetSettled(id) === 'all') {
          folders.remove(id);
          return;
        }
        records.forgetSettled(id);
        folders.update(id, { isListed: false, isPaused: false, baselineStage: 'scanning' });
      });
    },
  };
}
