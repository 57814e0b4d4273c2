import type { DatabaseSync } from 'node:sqlite';
import { relaxedCommit } from '../database/sqlite.ts';

/**
 * The work of FTS5 on the words of history. Left alone it merges segments inside whichever write comes along, and that one then takes
 * fifty times as long as the others.
 */
export interface WordIndex {
  /** Runs `write` inside its transaction, and leaves to `mergeSome` what is to be merged after it. */
  withoutMerging(write: () => void): void;
  /** Merges for a few milliseconds. False where nothing is left to be merged. */
  mergeSome(): boolean;
}

/** Pages that are written at once. */
const mergedAtOnce = 32;
/** FTS5's own values: https://www.sqlite.org/fts5.html#special_insert_commands */
const usual = { automerge: 4, crisismerge: 16 };
const none = { automerge: 0, crisismerge: 1000 };

export function createWordIndex(database: DatabaseSync): WordIndex {
  // FTS5 takes no floating point numbers, which those of JavaScript are.
  const command = (name: string, value: number) =>
    database.prepare(`INSERT INTO history_text (history_text, rank) VALUES ('${name}', ${value})`);
  const settings = ({ automerge, crisismerge }: typeof usual) => [
    command('automerge', automerge),
    command('crisismerge', crisismerge),
  ];
  const [stop, goOn] = [settings(none), settings(usual)];
  const merge = command('merge', mergedAtOnce);
  const selectChanges = database.prepare('SELECT total_changes() AS n');
  const changes = () => Number(selectChanges.get()?.['n']);

  return {
    withoutMerging(write) {
      stop.forEach((statement) => statement.run());
      write();
      // This writes the words before it takes effect; nobody outside of the transaction ever sees other settings.
      goOn.forEach((statement) => statement.run());
    },
    mergeSome() {
      const before = changes();
      relaxedCommit(database, () => merge.run());
      // One change is that of the command itself.
      return changes() - before > 1;
    },
  };
}
