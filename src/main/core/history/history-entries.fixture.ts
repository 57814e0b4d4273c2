import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import type { ConversionJob, Job } from '../jobs/job.ts';
import { createJobStore, type JobStore } from '../jobs/job-store.ts';
import { acquireProcessLock, type ProcessLock } from '../jobs/process-lock.ts';
import { fileIdentityOf, snapshotOf } from '../files/identity.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A new data folder with its jobs, and a folder for recordings and results, for each test. */
export interface TestLibrary {
  readonly folder: string;
  readonly database: DatabaseSync;
  readonly store: JobStore;
  /** Entries that are shown no longer. */
  readonly hidden: Set<string>;
  /** A path in the folder for recordings. */
  at(...names: readonly string[]): string;
  /** Writes a file, with the folders above it, and gives its path. */
  write(name: string, text: string): Promise<string>;
  /** A conversion that is done, with both of its files as they are now. */
  done(id: string, sourcePath: string | null, resultPath: string, change?: Partial<ConversionJob>): Promise<Job>;
}

/** A store that counts the entries read in each turn of the event loop. `most` ends the count. */
export function countReads(store: JobStore): { readonly store: JobStore; most(): number } {
  const reads = [0];
  let turn = setImmediate(function next() {
    reads.push(0);
    turn = setImmediate(next);
  });
  return {
    store: {
      ...store,
      get(id) {
        reads.push((reads.pop() ?? 0) + 1);
        return store.get(id);
      },
    },
    most() {
      clearImmediate(turn);
      return Math.max(...reads);
    },
  };
}

export function useLibrary(): () => TestLibrary {
  let library: TestLibrary;
  let processLock: ProcessLock;
  beforeEach(async () => {
    const root = await mkdtemp(join(tmpdir(), 'timbre-library-'));
    const data = join(root, 'data');
    const folder = join(root, 'sound');
    await mkdir(folder, { recursive: true });
    const database = await openDatabase(data);
    processLock = acquireProcessLock(data);
    const clock = { now: Date.now, sleep: () => Promise.resolve() };
    const fail = (error: unknown) => {
      throw error;
    };
    const store = createJobStore({ database, clock, processLock, isCommand: false, onDefect: fail });
    library = {
      folder: root,
      database,
      store,
      hidden: new Set(),
      at: (...names) => join(folder, ...names),
      async write(name, text) {
        const path = join(folder, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
        return path;
      },
      async done(id, sourcePath, resultPath, change = {}) {
        const hashOf = async (path: string) => sha256(await readFile(path, 'utf8'));
        const result = await stat(resultPath, { bigint: true });
        const source = sourcePath === null ? null : await stat(sourcePath, { bigint: true });
        const finished = {
          sha256: await hashOf(resultPath),
          sizeBytes: Number(result.size),
          identity: fileIdentityOf(result),
        };
        const job = conversionJob({
          id,
          state: 'done',
          source: { path: sourcePath ?? '/nowhere.wav', subfolder: '', snapshot: source && snapshotOf(source) },
          sourceSha256: sourcePath === null ? null : await hashOf(sourcePath),
          finished,
          output: { path: resultPath, method: 'link' },
          ...change,
        });
        const [added] = store.add([job]);
        store.reserveName(id, resultPath);
        return added as Job;
      },
    };
  });
  afterEach(async () => {
    if (library.database.isOpen) library.database.close();
    processLock.release();
    await rm(library.folder, { recursive: true });
  });
  return () => library;
}
