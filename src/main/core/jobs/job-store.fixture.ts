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

interface TestProcess {
  readonly store: JobStore;
  readonly database: DatabaseSync;
  readonly processLock: ProcessLock;
  readonly events: JobEvent[];
  /** Ends like a killed process: releases the lock without any clean-up. */
  kill(): void;
}

/** Processes that share one data folder, new for each test. The test sets the time. */
export interface TestStores {
  now: number;
  /** Each test fails if this is not empty at its end. */
  readonly defects: unknown[];
  open(isCommand?: boolean): Promise<TestProcess>;
}

export function useJobStores(): TestStores {
  let folder: string;
  let processes: TestProcess[];
  const stores: TestStores = {
    now: 1000,
    defects: [],
    async open(isCommand = false) {
      const database = await openDatabase(folder);
      const processLock = acquireProcessLock(folder);
      const clock = { now: () => stores.now, sleep: () => Promise.resolve() };
      const onDefect = (error: unknown) => void stores.defects.push(error);
      const store = createJobStore({ database, clock, processLock, isCommand, onDefect });
      const events: JobEvent[] = [];
      store.onEvent((event) => events.push(event));
      const kill = () => {
        if (database.isOpen) database.close();
        processLock.release();
      };
      const process = { store, database, processLock, events, kill };
      processes.push(process);
      return process;
    },
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-job-store-'));
    stores.now = 1000;
    stores.defects.length = 0;
    processes = [];
  });
  afterEach(async () => {
    for (const { kill } of processes) kill();
    await rm(folder, { recursive: true });
    expect(stores.defects).toEqual([]);
  });
  return stores;
}

/** A request to convert `/in/<id>.wav`. */
export const newConversion = (id: string, change: Partial<Parameters<typeof conversionJob>[0]> = {}): NewJob =>
  conversionJob({ id, source: { path: `/in/${id}.wav`, subfolder: '', snapshot: null }, ...change });
export const idsOf = (jobs: readonly Job[]): readonly string[] => jobs.map(({ id }) => id);
/** Matches all jobs that may run at the start time of a test. */
export const dueQuery = { now: 1000, onlyResults: false, except: [], limit: 100 } as const;
