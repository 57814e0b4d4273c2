import type { DatabaseSync } from 'node:sqlite';
import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { transaction } from '../database/sqlite.ts';
import { snapshotOf } from '../files/identity.ts';
import { type DiskQueries, type EntryFile, quickStatus } from './file-status.ts';
import { unstash } from '../files/stash.ts';
import type { FileReferences, RemovedFile, RemovedFiles } from './removal-store.ts';
import { updatePath } from './relink.ts';

/**
 * What becomes of a hidden file. It is known as long as its folder cannot be looked into: a disk or a share that is not there may come
 * back with the file, at a later undo or a later start.
 */
export interface RemovedFileEndings {
  /** Gives a file its name back. False where it waits for its folder. */
  giveBack(file: RemovedFile): Promise<boolean>;
  /** What is wished of it. */
  settle(file: RemovedFile): Promise<void>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly files: RemovedFiles;
  readonly users: FileReferences;
  readonly looks: DiskQueries;
  readonly platform: NodeJS.Platform;
  show(jobIds: readonly string[]): void;
  /** Waits for a database that cannot be written. */
  commit<T>(work: () => T): Promise<T>;
  trash(path: string): Promise<void>;
  onLinked(jobIds: readonly string[]): void;
  onDefect(error: unknown): void;
}

/** Where a file is again; or that nothing of it is left, or that nobody knows. */
type Restored = { readonly path: string } | 'nothing' | 'away';

const nobody: ReadonlySet<string> = new Set();

export function createRemovedFileEndings(dependencies: Dependencies): RemovedFileEndings {
  const { database, commit, files, users, looks, platform, show, trash, onLinked, onDefect } = dependencies;

  const fileAt = ({ path, finished }: RemovedFile): EntryFile => ({
    ...finished,
    path,
    name: '',
    modifiedNs: null,
    finishedAt: null,
  });

  async function isAway(file: RemovedFile): Promise<boolean> {
    if ((await quickStatus(fileAt(file), looks, platform)) === 'away') return true;
    const folder = dirname(file.path);
    const stats = await looks.ask(folder, () => stat(folder)).catch(() => undefined);
    return stats?.isDirectory() !== true;
  }

  /** Its entries follow it to another name. */
  async function restore(file: RemovedFile): Promise<Restored> {
    if (await isAway(file)) return 'away';
    const path = await unstash(file, (taking) => commit(() => files.take(file.id, taking)));
    // A disk that went away in between has nothing to show either.
    if (path === null) return (await isAway(file)) ? 'away' : 'nothing';
    if (path !== file.path) {
      const snapshot = snapshotOf(await lstat(path, { bigint: true }));
      onLinked(await commit(() => updatePath(database, 'result', fileAt(file), { path, snapshot }, file.jobs)));
    }
    return { path };
  }

  const forget = (file: RemovedFile, isShown: boolean): Promise<void> =>
    commit(() =>
      transaction(database, () => {
        files.drop(file.id);
        if (isShown) show(file.jobs);
      }),
    );

  async function giveBack(file: RemovedFile): Promise<boolean> {
    if ((await restore(file)) === 'away') return false;
    await forget(file, false);
    return true;
  }

  /** To the trash by its own name, so that it can be put back from there. Whoever came to need it meanwhile finds it at that name. */
  async function discard(file: RemovedFile): Promise<void> {
    const restored = await restore(file);
    if (restored === 'away') return;
    let isRefused = false;
    if (restored !== 'nothing' && !users.isNeeded({ ...file.finished, ...restored }, nobody)) {
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
    giveBack,
    async settle(file) {
      await (file.wish === 'gone' ? discard(file) : giveBack(file));
    },
  };
}
