import type { DatabaseSync } from 'node:sqlite';
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

/** Pages written per merge step. */
const pagesPerMerge = 32;
/** Defaults of FTS5: https://www.sqlite.org/fts5.html#special_insert_commands */
const defaults = { automerge: 4, crisismerge: 16 };
const noMerging = { automerge: 0, crisismerge: 1000 };

export function createWordIndex(database: DatabaseSync): WordIndex {
  // FTS5 rejects floating-point values, which is how JavaScript numbers are bound.
  const command = (name: string, value: number) =>
    database.prepare(`INSERT INTO history_text (history_text, rank) VALUES ('${name}', ${value})`);
  const settings = ({ automerge, crisismerge }: typeof defaults) => [
    command('automerge', automerge),
    command('crisismerge', crisismerge),
  ];
  const [suspendMerging, restoreDefaults] = [settings(noMerging), settings(defaults)];
  const merge = command('merge', pagesPerMerge);
  const selectChanges = database.prepare('SELECT total_changes() AS n');
  const changes = () => Number(selectChanges.get()?.['n']);

  return {
    withoutMerging(write) {
      suspendMerging.forEach((statement) => statement.run());
      write();
      // Flushes the pending words first; no other transaction ever sees the changed settings.
      restoreDefaults.forEach((statement) => statement.run());
    },
    mergeSome() {
      const before = changes();
      relaxedCommit(database, () => merge.run());
      // The command itself counts as one change.
      return changes() - before > 1;
    },
  };
}
