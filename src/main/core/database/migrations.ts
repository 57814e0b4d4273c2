import { jobTables } from './migrations/001-job-tables.ts';
import { connectionTable } from './migrations/002-connection-table.ts';
import { voiceTables } from './migrations/003-voice-tables.ts';
import { watchTables } from './migrations/004-watch-tables.ts';
import { leftAlone } from './migrations/005-left-alone.ts';
import { historyTables } from './migrations/006-history-tables.ts';
import { removedFiles } from './migrations/007-removed-files.ts';
import { returningEntries } from './migrations/008-returning-entries.ts';
import { emojiWords } from './migrations/009-emoji-words.ts';
import { sourceMoves } from './migrations/010-source-moves.ts';
import { ledgerOfJobs } from './migrations/011-ledger-of-jobs.ts';

export interface Migration {
  /** Increases by one. The database's `user_version` is that of the last migration that ran. */
  readonly version: number;
  readonly sql: string;
}

/** All migrations from an empty file to the current schema. A released one never changes; a later one corrects it. */
export const migrations: readonly Migration[] = [
  { version: 1, sql: jobTables },
  { version: 2, sql: connectionTable },
  { version: 3, sql: voiceTables },
  { version: 4, sql: watchTables },
  { version: 5, sql: leftAlone },
  { version: 6, sql: historyTables },
  { version: 7, sql: removedFiles },
  { version: 8, sql: returningEntries },
  { version: 9, sql: emojiWords },
  { version: 10, sql: sourceMoves },
  { version: 11, sql: ledgerOfJobs },
];
