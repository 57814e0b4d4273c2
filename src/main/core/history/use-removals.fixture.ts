import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import type { Job } from '../jobs/job.ts';
import type { TestLibrary } from './history-entries.fixture.ts';
import { createTestRemovals, createTestShown, createTestTrash } from './removal.fixture.ts';
import type { Removals, VisibleEntries } from './removal.ts';
import { createRemovedFiles, type RemovedFile } from './removal-store.ts';

/** New removals for each test. */
interface RemovalFixture {
  readonly removals: Removals;
  readonly visible: VisibleEntries;
  /** As the next process has them. */
  next(): Removals;
  readonly trashFolder: string;
  /** The entries of each notification about changed files. */
  readonly filesChanged: readonly (readonly string[])[];
}

interface UseRemovals {
  fixture(): RemovalFixture;
  /** A conversion that is done, with both of its files. */
  entry(id?: string, result?: string, source?: string): Promise<Job>;
  /** What is in a folder, in order. */
  names(folder: string): Promise<readonly string[]>;
  inodeOf(name: string): Promise<number>;
  /** Files that are known as hidden. */
  left(): readonly RemovedFile[];
}

export function useRemovals(library: () => TestLibrary): UseRemovals {
  let fixture: RemovalFixture;
  beforeEach(() => {
    const { database, store, folder } = library();
    const visible = createTestShown(database);
    const trashFolder = join(folder, 'trash');
    const filesChanged: (readonly string[])[] = [];
    const trash = createTestTrash(trashFolder);
    const onFilesChanged = (ids: readonly string[]) => filesChanged.push(ids);
    const next = () => createTestRemovals({ database, store, visible, trash, onFilesChanged });
    fixture = { removals: next(), next, visible, trashFolder, filesChanged };
  });
  return {
    fixture: () => fixture,
    async entry(id = 'a', result = 'out/a.wav', source = 'in/a.wav') {
      const { write, done } = library();
      return done(id, await write(source, 'the source'), await write(result, `the result in ${result}`));
    },
    names: async (folder) => (await readdir(library().at(folder))).sort(),
    inodeOf: async (name) => (await stat(library().at(name))).ino,
    left: () => createRemovedFiles(library().database).after('', 1000),
  };
}
