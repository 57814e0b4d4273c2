import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DatabaseSync } from 'node:sqlite';
import { randomUUID } from 'node:crypto';
import yazl from 'yazl';
import type { HistoryExport, HistoryImport, RefusedLine } from '../../../shared/schemas/history.ts';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { createJobStore, type JobStore } from '../jobs/job-store.ts';
import { acquireProcessLock } from '../jobs/process-lock.ts';
import { type CopyStore, createCopyStore } from '../files/copy-store.ts';
import { createTemporaryFiles } from '../files/temporary-files.ts';
import { createFileQueries } from './file-status.ts';
import { exportHistory } from './export.ts';
import { createEntryReader } from './entries.ts';
import type { EntryAnnotations } from './archive-format.ts';
import { importHistory } from './import.ts';
import type { OnProgress } from '../events.ts';

/** Export and import of one computer, with the user's annotations. */
export interface TestExchange {
  annotationsOf(id: string): EntryAnnotations;
  /** The reported shares of progress. */
  readonly progress: readonly number[];
  readonly shown: string[];
  readonly added: string[];
  readonly changed: string[];
  readonly refusedLines: RefusedLine[];
  readonly copyStore: CopyStore;
  export(
    ids: readonly string[],
    what: 'list' | 'sound',
    target: string,
    signal?: AbortSignal,
    existing?: 'replace' | 'keep',
  ): Promise<HistoryExport>;
  import(path: string, folder: string, signal?: AbortSignal): Promise<HistoryImport>;
}

export function createTestExchange({ database, store }: { database: DatabaseSync; store: JobStore }): TestExchange {
  const fileQueries = createFileQueries({ clock: systemClock, platform: process.platform });
  const reader = createEntryReader(database, (error) => {
    throw error;
  });
  function annotations(id: string): EntryAnnotations {
    const { isFavourite = false, tags = [] } = reader.byJobIds([id])[0] ?? {};
    return { isFavourite, tags };
  }
  const shown: string[] = [];
  const progress: number[] = [];
  const onProgress: OnProgress = ({ share }) => progress.push(share ?? NaN);
  const added: string[] = [];
  const changed: string[] = [];
  const refusedLines: RefusedLine[] = [];
  const writes = { write: <T>(work: () => T) => work() };
  const data = dirname(database.location() ?? '');
  const owners = { owner: randomUUID(), isAlive: () => true };
  const temporaryFiles = createTemporaryFiles({ folder: join(data, 'temporary-files'), ...owners });
  const copyStore = createCopyStore({
    folder: join(data, 'copies'),
    ...owners,
    temporaryFiles,
    reservedBytes: () => Promise.resolve(0),
    spareBytes: 0,
  });
  const common = { writes, store, fileQueries, temporaryFiles, copyStore };
  const forever = new AbortController().signal;
  return {
    annotationsOf: annotations,
    progress,
    shown,
    added,
    changed,
    refusedLines,
    copyStore,
    export: (ids, what, target, signal = forever, existing = 'replace') =>
      exportHistory({ ...common, annotations }, { ids, what, target, existing, signal, onProgress }),
    import: (path, folder, signal = forever) =>
      importHistory(
        {
          ...common,
          database,
          clock: systemClock,
          show: (ids) => shown.push(...ids),
          onAdded: (ids) => added.push(...ids),
          onChanged: (ids) => changed.push(...ids),
          connectionId: (name) => (name === 'Studio' ? 'studio-here' : undefined),
        },
        { path, folder, signal, onProgress, onEnd: (done) => refusedLines.push(...done.refusedLines) },
      ),
  };
}

/** Another computer: its own data and its own folder, below this one. */
export async function elsewhere(root: string) {
  const folder = join(root, `elsewhere-${randomUUID()}`);
  const database = await openDatabase(join(folder, 'data'));
  const processLock = acquireProcessLock(join(folder, 'data'));
  const onDefect = (error: unknown) => {
    throw error;
  };
  const clock = { now: Date.now, sleep: () => Promise.resolve() };
  const store = createJobStore({ database, clock, processLock, isCommand: false, onDefect });
  const rows = () =>
    database
      .prepare('SELECT id FROM job ORDER BY id')
      .all()
      .map(({ id }) => id);
  return { store, exchange: createTestExchange({ database, store }), sounds: join(folder, 'sounds'), rows, database };
}

/** An archive with these entries, compressed or stored. */
export async function writeZip(
  path: string,
  entries: readonly (readonly [name: string, content: Buffer | string])[],
  compress = false,
): Promise<string> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name, { compress });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}
