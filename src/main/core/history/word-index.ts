import type { DatabaseSync } from 'node:sqlite';
import { type BatchSize, createBatchSize } from '../database/batch-size.ts';
import { relaxedCommit } from '../database/sqlite.ts';

/**
 * Controls when FTS5 merges segments of the word index. By default it merges during arbitrary
 * writes, which then take fifty times as long as others.
 */
export interface WordIndex {
  /** Runs `write` inside the caller's transaction and leaves merging to `mergeSome`. */
  withoutMerging(write: () => void): void;
  /** Merges for a few milliseconds. Returns false if nothing is left to merge. */
  mergeSome(): boolean;
}

/** Each entry of a batch rewrites its indexed words. */
export const createEntryBatchSize = (): BatchSize =>
  createBatchSize({ first: 50, least: 10, most: 50, targetMs: 5, now: () => performance.now() });
/** Pages written per merge step. */
const pagesPerMerge = 32;
/** Defaults of FTS5: https://www.sqlite.org/fts5.html#special_insert_commands */
const defaults = { automerge: 4, crisismerge: 16 };
const noMerging = { automerge: 0, crisismerge: 1000 };

export function createWordIndex(database: DatabaseSync): WordIndex {
  const command = database.prepare('INSERT INTO history_text (history_text, rank) VALUES (:name, :value)');
  // FTS5 rejects floating-point values, which is how JavaScript numbers are bound.
  const run = (name: string, value: number) => void command.run({ name, value: BigInt(value) });
  function configure({ automerge, crisismerge }: typeof defaults): void {
    run('automerge', automerge);
    run('crisismerge', crisismerge);
  }
  const selectChanges = database.prepare('SELECT total_changes() AS n');
  const changes = () => Number(selectChanges.get()?.['n']);

  return {
    withoutMerging(write) {
      configure(noMerging);
      write();
      // Flushes the pending words first; no other transaction ever sees the changed settings.
      configure(defaults);
    },
    mergeSome() {
      const before = changes();
      relaxedCommit(database, () => run('merge', pagesPerMerge));
      // The command itself counts as one change.
      return changes() - before > 1;
    },
  };
}
