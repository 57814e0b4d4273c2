import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock } from '../clock.ts';
import { createWriteGate } from '../database/write-gate.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { createFileQueries } from './file-status.ts';
import { createRemovals, type Removals, type VisibleEntries } from './removal.ts';

/** Which entries are shown, in a table of its own: what is hidden outlives the process. */
export function createTestShown(database: DatabaseSync): VisibleEntries {
  database.exec('CREATE TABLE IF NOT EXISTS test_hidden (id TEXT PRIMARY KEY)');
  const hide = database.prepare('INSERT INTO test_hidden VALUES (?) ON CONFLICT DO NOTHING');
  const show = database.prepare('DELETE FROM test_hidden WHERE id = ?');
  const select = database.prepare('SELECT 1 FROM test_hidden WHERE id = ?');
  return {
    hide: (ids) => ids.forEach((id) => hide.run(id)),
    show: (ids) => ids.forEach((id) => show.run(id)),
    isVisible: (id) => select.get(id) === undefined,
  };
}

/** A trash whose files can be listed: a folder. */
export const createTestTrash = (folder: string) => async (path: string) => {
  await mkdir(folder, { recursive: true });
  await rename(path, join(folder, basename(path)));
};

interface Given {
  readonly database: DatabaseSync;
  readonly store: JobStore;
  readonly visible: VisibleEntries;
  readonly clock?: Clock;
  trash(path: string): Promise<void>;
  onFilesChanged?(ids: readonly string[]): void;
  onDefect?(error: unknown): void;
}

let lastId = 0;

export const createTestRemovals = (given: Given): Removals =>
  createRemovals({
    writes: createWriteGate({
      database: given.database,
      clock: systemClock,
      onDefect: () => undefined,
    }),
    clock: systemClock,
    fileQueries: createFileQueries({ clock: systemClock, platform: process.platform }),
    randomId: () => `00000000-0000-4000-8000-${String(++lastId).padStart(12, '0')}`,
    onFilesChanged: () => undefined,
    onDefect(error) {
      throw error;
    },
    ...given,
  });
