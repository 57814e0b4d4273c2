import type { DatabaseSync } from 'node:sqlite';

/** Entries that are to be shown again, as the database keeps them until they are. */
export interface ReturningEntries {
  add(jobIds: readonly string[]): void;
  has(jobId: string): boolean;
  /** Up to `count`, those first that were added first. */
  next(count: number): readonly string[];
  drop(jobIds: readonly string[]): void;
}

export function createReturningEntries(database: DatabaseSync): ReturningEntries {
  const insert = database.prepare('INSERT OR IGNORE INTO returning_entry (id) SELECT value FROM json_each(?)');
  const select = database.prepare('SELECT 1 FROM returning_entry WHERE id = ?');
  const selectNext = database.prepare('SELECT id FROM returning_entry ORDER BY number LIMIT ?');
  const drop = database.prepare('DELETE FROM returning_entry WHERE id IN (SELECT value FROM json_each(?))');
  return {
    add: (jobIds) => void insert.run(JSON.stringify(jobIds)),
    has: (jobId) => select.get(jobId) !== undefined,
    next: (count) => selectNext.all(count).map(({ id }) => String(id)),
    drop: (jobIds) => void drop.run(JSON.stringify(jobIds)),
  };
}
