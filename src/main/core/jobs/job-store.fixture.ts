import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { conversionJob } from './job.fixture.ts';
import type { Job } from './job.ts';
import { createJobStore, type JobStore, type NewJob, type JobEvent } from './job-store.ts';
import { acquireProcessLock, type ProcessLock } from './process-lock.ts';

export interface TestProcess {
  readonly store: JobStore;
  readonly database: DatabaseSync;
  readonly processLock: ProcessLock;
  readonly news: JobEvent[];
  /** As a kill does: the lock goes, nothing is tidied up. */
  die(): void;
}

/** Processes of one data folder, anew for each test, at a time that the test sets. */
export interface TestJournals {
  now: number;
  /** What no test takes out of here fails it. */
  readonly defects: unknown[];
  open(isCommand?: boolean): Promise<TestProcess>;
}

export function useJournals(): TestJournals {
  let folder: string;
  let processes: TestProcess[];
  const journals: TestJournals = {
    now: 1000,
    defects: [],
    async open(isCommand = false) {
      const database = await openDatabase(folder);
      const processLock = acquireProcessLock(folder);
      const clock = { now: () => journals.now, sleep: () => Promise.resolve() };
      const onDefect = (error: unknown) => void journals.defects.push(error);
      const store = createJobStore({ database, clock, processLock, isCommand, onDefect });
      const news: JobEvent[] = [];
      store.onEvent((one) => news.push(one));
      const die = () => {
        if (database.isOpen) database.close();
        processLock.release();
      };
      const process = { store, database, processLock, news, die };
      processes.push(process);
      return process;
    },
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-journal-'));
    journals.now = 1000;
    journals.defects.length = 0;
    processes = [];
  });
  afterEach(async () => {
    for (const { die } of processes) die();
    await rm(folder, { recursive: true });
    expect(journals.defects).toEqual([]);
  });
  return journals;
}

/** A conversion of `/in/<id>.wav`. */
export const asked = (id: string, change: Partial<Parameters<typeof conversionJob>[0]> = {}): NewJob =>
  conversionJob({ id, source: { path: `/in/${id}.wav`, subfolder: '', snapshot: null }, ...change });
export const idsOf = (jobs: readonly Job[]): readonly string[] => jobs.map(({ id }) => id);
/** All that may be begun at the time at which a test begins. */
export const workQuery = { now: 1000, onlyResults: false, except: [], limit: 100 } as const;
