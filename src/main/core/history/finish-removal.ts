import type { DatabaseSync } from 'node:sqlite';
import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { transaction } from '../database/sqlite.ts';
import { snapshotOf } from '../files/identity.ts';
import { type FileQueries, type EntryFile } from './file-status.ts';
import { unstash } from '../files/stash.ts';
import type { FileReferences, RemovedFile, RemovedFiles } from './removal-store.ts';
import { updatePath } from './relink.ts';

/**
 * Completes the removal of a stashed file: trash or restore. The record stays while the folder
 * cannot be read: a missing disk or share may return at a later undo or start.
 */
export interface RemovalFinisher {
  /** Restores the file's name. Returns false if its folder is not available. */
  restore(file: RemovedFile): Promise<boolean>;
  /** Does what the record's intent says. */
  finish(file: RemovedFile): Promise<void>;
}

/** What removals, and what finishes them, work with. */
export interface RemovalDependencies {
  readonly database: DatabaseSync;
  readonly fileQueries: FileQueries;
  /** Moves a file to the system trash. */
  trash(path: string): Promise<void>;
  /** Called with the entries whose result is back, or has another path. */
  onFilesChanged(jobIds: readonly string[]): void;
  onDefect(error: unknown): void;
}

interface Dependencies extends RemovalDependencies {
  readonly files: RemovedFiles;
  readonly references: FileReferences;
  show(jobIds: readonly string[]): void;
  /** Waits until the database is writable. */
  commit<T>(work: () => T): Promise<T>;
}

/** The path of a restored file; `nothing` if it no longer exists, `away` if that cannot be known yet. */
type Restored = { readonly path: string } | 'nothing' | 'away';

const none: ReadonlySet<string> = new Set();

export function createRemovalFinisher(dependencies: Dependencies): RemovalFinisher {
  const { database, commit, files, references, fileQueries, show, trash, onFilesChanged, onDefect } = dependencies;

  const fileAt = ({ path, finished }: RemovedFile): EntryFile => ({
    ...finished,
    path,
    name: '',
    modifiedNs: null,
    finishedAt: null,
  });

  async function isAway(file: RemovedFile): Promise<boolean> {
    if ((await fileQueries.quickStatus(fileAt(file))) === 'away') return true;
    const folder = dirname(file.path);
    const stats = await fileQueries.query(folder, () => stat(folder)).catch(() => undefined);
    return stats?.isDirectory() !== true;
  }

  /** Restores a file; its entries get the new path if the old one is taken. */
  async function unstashFile(file: RemovedFile): Promise<Restored> {
    if (await isAway(file)) return 'away';
    const path = await unstash(file, (name) => commit(() => files.reserve(file.id, name)));
    // The disk may have been removed since the first check.
    if (path === null) return (await isAway(file)) ? 'away' : 'nothing';
    if (path !== file.path) {
      const snapshot = snapshotOf(await lstat(path, { bigint: true }));
      onFilesChanged(await commit(() => updatePath(database, 'result', fileAt(file), { path, snapshot }, file.jobs)));
    }
    return { path };
  }

  const forget = (file: RemovedFile, isShown: boolean): Promise<void> =>
    commit(() =>
      transaction(database, () => {
        files.remove(file.id);
        if (isShown) show(file.jobs);
      }),
    );

  async function restore(file: RemovedFile): Promise<boolean> {
    const restored = await unstashFile(file);
    if (restored === 'away') return false;
    await forget(file, false);
    // The page may have asked for its status while it was still stashed.
    if (restored !== 'nothing' && restored.path === file.path) onFilesChanged(file.jobs);
    return true;
  }

  /**
   * Moves a file to the trash under its own name, so that it can be put back from there. If it is
   * referred to again in the meantime, it stays under that name.
   */
  async function moveToTrash(file: RemovedFile): Promise<void> {
    const restored = await unstashFile(file);
    if (restored === 'away') return;
    let isRefused = false;
    if (restored !== 'nothing' && !references.isReferenced({ ...file.finished, ...restored }, none)) {
      try {
        await trash(restored.path);
      } catch (error) {
        onDefect(error);
        isRefused = true;
      }
    }
    await forget(file, isRefused);
  }

  return {
    restore,
    async finish(file) {
      await (file.intent === 'trash' ? moveToTrash(file) : restore(file));
    },
  };
}
