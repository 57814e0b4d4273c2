import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { bytesPerColumn, foldColumns, type Fold } from '../../../sound/fold-columns.ts';

/** Drawings of sounds by their content, so that a sound is drawn at once, and also when its file is gone. */
export interface FoldCache {
  get(sha256: string): Fold | undefined;
  put(sha256: string, fold: Fold): void;
  stop(): void;
}

interface Options {
  readonly folder: string;
  /** So many are kept; those that nobody saw for longest go first. */
  readonly most?: number;
}

const fileName = 'folds.db';
/** 3 kB each. */
const mostKept = 50_000;
/** Not at each one that is put. */
const trimEvery = 200;

const schema = `
CREATE TABLE IF NOT EXISTS fold (
  sha256 TEXT NOT NULL UNIQUE,
  columns BLOB NOT NULL,
  duration_seconds REAL NOT NULL,
  level_db REAL,
  used INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS fold_used ON fold (used);
`;

const row = v.object({
  columns: v.pipe(v.instance(Uint8Array<ArrayBuffer>), v.length(foldColumns * bytesPerColumn)),
  duration_seconds: v.number(),
  level_db: v.nullable(v.number()),
});

/** What is in it can be drawn again: a file that is no database, or not this one, is thrown away. */
function openFile(folder: string): DatabaseSync {
  const path = join(folder, fileName);
  const open = () => {
    const database = new DatabaseSync(path, { timeout: 1000 });
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${schema}`);
    return database;
  };
  mkdirSync(folder, { recursive: true });
  try {
    return open();
  } catch {
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    return open();
  }
}

/** Opened at the first call. A cache that cannot be used is no reason to show nothing: it then keeps nothing. */
export function createFoldCache({ folder, most = mostKept }: Options): FoldCache {
  let database: DatabaseSync | null | undefined;
  let puts = 0;
  let turn = 0;

  /** Runs `work` with the open cache; `instead` where there is none, or it is damaged. */
  function withCache<T>(work: (open: DatabaseSync) => T, instead: T): T {
    if (database === null) return instead;
    try {
      database ??= openFile(folder);
      return work(database);
    } catch {
      if (database?.isOpen) database.close();
      database = null;
      return instead;
    }
  }

  /** Later than all that was used before. */
  function now(open: DatabaseSync): number {
    turn ||= Number(open.prepare('SELECT coalesce(max(used), 0) AS used FROM fold').get()?.['used']);
    return (turn += 1);
  }

  return {
    get: (sha256) =>
      withCache((open) => {
        const found = open.prepare('SELECT columns, duration_seconds, level_db FROM fold WHERE sha256 = ?').get(sha256);
        if (!found) return undefined;
        const { columns, duration_seconds: durationSeconds, level_db: levelDb } = v.parse(row, found);
        open.prepare('UPDATE fold SET used = ? WHERE sha256 = ?').run(now(open), sha256);
        return { columns, durationSeconds, levelDb };
      }, undefined),
    put: (sha256, { columns, durationSeconds, levelDb }) =>
      withCache((open) => {
        open
          .prepare(
            'INSERT OR REPLACE INTO fold (sha256, columns, duration_seconds, level_db, used) VALUES (?, ?, ?, ?, ?)',
          )
          .run(sha256, columns, durationSeconds, levelDb, now(open));
        puts += 1;
        if (puts % trimEvery !== 0) return;
        open
          .prepare('DELETE FROM fold WHERE used <= (SELECT used FROM fold ORDER BY used DESC LIMIT 1 OFFSET ?)')
          .run(most);
      }, undefined),
    stop() {
      if (database?.isOpen) database.close();
      database = null;
    },
  };
}
