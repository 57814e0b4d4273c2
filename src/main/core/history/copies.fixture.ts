import { join } from 'node:path';
import type { CopySettings } from '../../../shared/schemas/settings.ts';
import { type Clock, systemClock } from '../clock.ts';
import { createCopyStore, type CopyStore } from '../files/copy-store.ts';
import { createTemporaryFiles, type TemporaryFiles } from '../files/temporary-files.ts';
import { type Copies, createCopies } from './copies.ts';
import { createFileQueries, type FileQueries } from './file-status.ts';
import type { TestLibrary } from './history-entries.fixture.ts';

export interface TestCopies {
  readonly copyStore: CopyStore;
  readonly temporaryFiles: TemporaryFiles;
  readonly copies: Copies;
  readonly fileQueries: FileQueries;
}

interface Options {
  /** What the user has set: copies of everything, unless it says otherwise. */
  readonly settings?: () => Partial<CopySettings>;
  readonly copyStore?: Partial<CopyStore>;
  readonly clock?: Clock;
}

/** Copies of a library's results, in its folder. A defect fails the test. */
export function createTestCopies(library: TestLibrary, options: Options = {}): TestCopies {
  const { settings = () => ({}), clock = systemClock } = options;
  const { folder, database, store } = library;
  const owners = { owner: 'test', isAlive: () => true };
  const temporaryFiles = createTemporaryFiles({ folder: join(folder, 'temporary-files'), ...owners });
  const copyStore = {
    ...createCopyStore({
      folder: join(folder, 'copies'),
      ...owners,
      temporaryFiles,
      reservedBytes: () => Promise.resolve(0),
      spareBytes: 0,
    }),
    ...options.copyStore,
  };
  const fileQueries = createFileQueries({ clock: systemClock, platform: process.platform });
  const copies = createCopies({
    database,
    store,
    copyStore,
    settings: () => ({ isOn: true, maxGigabytes: 5, since: 0, ...settings() }),
    fileQueries,
    clock,
    patienceMs: 60_000,
    onDefect(error) {
      throw error;
    },
  });
  return { copyStore, temporaryFiles, copies, fileQueries };
}
