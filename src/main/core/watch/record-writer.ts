import type { DatabaseSync } from 'node:sqlite';
import { batchesOf } from '../../../shared/batches.ts';
import { afterCommit, transaction, relaxedCommit } from '../database/sqlite.ts';
import type { Signature } from '../files/identity.ts';
import type { FileRecord } from './file-record.ts';
import type { FileStore, RecordChange } from './file-store.ts';
import type { FolderStore, WatchFolder } from './folder-store.ts';
import type { WriteQueue } from './write-queue.ts';

/** Reads and writes the records of one folder, and calls `onFile` after each change. */
export interface RecordWriter {
  readonly id: string;
  /** The folder as it is stored now. */
  folder(): WatchFolder;
  find(path: string): FileRecord | undefined;
  upsert(path: string, change: RecordChange, known?: FileRecord | null): FileRecord;
  /** Adds a file that was present before the folder was watched. Returns false if it already has a record. */
  addToBaseline(path: string, signature: Signature): boolean;
  /** Marks the file as waiting at the gate. */
  recheck(path: string, change?: RecordChange): FileRecord;
  /** Steps for the write queue that process `all` in batches, each in one transaction. */
  batchSteps<T>(all: readonly T[], work: (batch: readonly T[]) => void): readonly (() => void)[];
  /** Adds these steps to the write queue. */
  inBatches<T>(all: readonly T[], work: (batch: readonly T[]) => void): void;
  /** Like `inBatches` over all baseline files; calls `onEnd` after the last one. */
  forEachBaselineBatch(work: (batch: readonly FileRecord[]) => void, onEnd: () => void): void;
}

interface Dependencies {
  readonly id: string;
  readonly database: DatabaseSync;
  readonly folders: FolderStore;
  readonly records: FileStore;
  readonly writeQueue: WriteQueue;
  onFile(path: string): void;
}

/** A commit costs as much as about ten files; a batch must not delay the window noticeably. */
const batchSize = 125;

export function createRecordWriter({ id, database, folders, records, writeQueue, onFile }: Dependencies): RecordWriter {
  function upsert(path: string, change: RecordChange, known?: FileRecord | null): FileRecord {
    const record = relaxedCommit(database, () => records.upsert(id, path, change, known));
    afterCommit(database, () => onFile(path));
    return record;
  }

  function forEachBaselineBatch(
    work: (batch: readonly FileRecord[]) => void,
    onEnd: () => void,
    after = -Infinity,
  ): void {
    writeQueue.add(() => {
      const batch = records.listBaseline(id, after, batchSize);
      relaxedCommit(database, () => transaction(database, () => work(batch)));
      const lastRecord = batch.at(-1);
      if (lastRecord && batch.length === batchSize) forEachBaselineBatch(work, onEnd, lastRecord.changeNumber);
      else onEnd();
    });
  }

  const batchSteps: RecordWriter['batchSteps'] = (all, work) =>
    Array.from(
      batchesOf(all, batchSize),
      (batch) => () => relaxedCommit(database, () => transaction(database, () => work(batch))),
    );

  return {
    id,
    folder() {
      const found = folders.find(id);
      if (!found) throw new Error(`no watched folder ${id}`);
      return found;
    },
    find: (path) => records.find(id, path),
    upsert,
    addToBaseline(path, signature) {
      const isAdded = relaxedCommit(database, () => records.addToBaseline(id, path, signature));
      if (isAdded) afterCommit(database, () => onFile(path));
      return isAdded;
    },
    recheck: (path, change = {}) =>
      upsert(path, { decision: 'waiting', stage: 'open', problem: null, isPresent: true, nextTryAt: null, ...change }),
    batchSteps,
    inBatches: (all, work) => batchSteps(all, work).forEach(writeQueue.add),
    forEachBaselineBatch,
  };
}
