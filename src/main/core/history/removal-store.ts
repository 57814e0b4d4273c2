import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { nameKey } from '../files/names.ts';
import type { FinishedOutput } from '../files/pending-output.ts';
import { storedJson, unfinished } from '../jobs/job-row.ts';
import type { TakenName } from '../jobs/job.ts';

/** A result that is being taken out of history, or brought back. */
export interface RemovedFile {
  /** Part of its hidden name. */
  readonly id: string;
  /** The deed it belongs to, which is undone as a whole. */
  readonly removal: string;
  /** What is to come of it: the trash, or its old name. */
  readonly wish: 'gone' | 'back';
  /** Entries that have it, also such as were taken out before. */
  readonly jobs: readonly string[];
  /** Its name, and how it got it. */
  readonly path: string;
  readonly how: TakenName['how'];
  readonly finished: FinishedOutput;
  /** The name that it was about to get back. */
  readonly taking: TakenName | null;
}

/** Written before a file is touched, and deleted when nothing is left to do for it. */
export interface RemovedFiles {
  add(file: RemovedFile): void;
  wish(removal: string, wish: RemovedFile['wish']): void;
  take(id: string, taking: TakenName): void;
  drop(id: string): void;
  /** Files that had this name. */
  at(path: string): readonly RemovedFile[];
  /** Up to `count` files whose ids come after this one. */
  after(id: string, count: number): readonly RemovedFile[];
  all(): readonly RemovedFile[];
}

const how = v.picklist(['link', 'placeholder']);
const stored = v.object({
  id: v.string(),
  removal: v.string(),
  wish: v.picklist(['gone', 'back']),
  jobs: storedJson(v.array(v.string())),
  path: v.string(),
  how,
  sha256: v.string(),
  size_bytes: v.number(),
  device: v.string(),
  inode: v.string(),
  taking: v.nullable(v.string()),
  taking_how: v.nullable(how),
});

function read(row: unknown): RemovedFile {
  const { sha256, size_bytes, device, inode, taking, taking_how, ...file } = v.parse(stored, row);
  return {
    ...file,
    finished: { sha256, sizeBytes: size_bytes, identity: { device, inode } },
    taking: taking === null || taking_how === null ? null : { path: taking, how: taking_how },
  };
}

export function createRemovedFiles(database: DatabaseSync): RemovedFiles {
  const insert = database.prepare(
    `INSERT INTO removed_file (id, removal, wish, jobs, path, how, sha256, size_bytes, device, inode)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setWish = database.prepare('UPDATE removed_file SET wish = ? WHERE removal = ?');
  const setTaking = database.prepare('UPDATE removed_file SET taking = ?, taking_how = ? WHERE id = ?');
  const drop = database.prepare('DELETE FROM removed_file WHERE id = ?');
  const selectAt = database.prepare('SELECT * FROM removed_file WHERE path = ?');
  const selectAfter = database.prepare('SELECT * FROM removed_file WHERE id > ? ORDER BY id LIMIT ?');
  const selectAll = database.prepare('SELECT * FROM removed_file');
  return {
    add({ id, removal, wish, jobs, path, how, finished: { sha256, sizeBytes, identity } }) {
      const { device, inode } = identity;
      insert.run(id, removal, wish, JSON.stringify(jobs), path, how, sha256, sizeBytes, device, inode);
    },
    wish: (removal, wish) => void setWish.run(wish, removal),
    take: (id, taking) => void setTaking.run(taking.path, taking.how, id),
    drop: (id) => void drop.run(id),
    at: (path) => selectAt.all(path).map(read),
    after: (id, count) => selectAfter.all(id, count).map(read),
    all: () => selectAll.all().map(read),
  };
}

/** A result of Timbre's, by its place and its bytes. */
export interface UsedFile {
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
}

/** Who has a file that Timbre made. */
export interface FileReferences {
  /** Entries that have it as their result, also such as are not shown. */
  withResult(file: UsedFile): readonly string[];
  /**
   * Whether somebody has to find it at its place, but for the entries that leave: an entry that is shown and has it as its result, or
   * was made from it; or a job that has not ended and is made from it. An original that nobody has read yet counts as this one.
   */
  isNeeded(file: UsedFile, leaving: ReadonlySet<string>): boolean;
}

export function createFileReferences(database: DatabaseSync, isShown: (jobId: string) => boolean): FileReferences {
  const selectResults = database.prepare(
    "SELECT id FROM job WHERE output_key = :key AND output_path = :path AND output_sha256 = :sha256 AND state = 'done'",
  );
  const selectSources = database.prepare(
    `SELECT id, ${unfinished} AS waits FROM job
     WHERE source_path = :path AND coalesce(source_sha256, source ->> '$.sha256', :sha256) = :sha256`,
  );
  const withResult = ({ path, sha256 }: UsedFile): readonly string[] =>
    selectResults.all({ key: nameKey(path), path, sha256 }).map(({ id }) => String(id));

  return {
    withResult,
    isNeeded(file, leaving) {
      const stays = (id: string) => !leaving.has(id) && isShown(id);
      const { path, sha256 } = file;
      return (
        withResult(file).some(stays) ||
        selectSources.all({ path, sha256 }).some(({ id, waits }) => waits === 1 || stays(String(id)))
      );
    },
  };
}

/** Entries that are to be shown again, as the database keeps them until they are. */
export interface PendingRestores {
  add(jobIds: readonly string[]): void;
  has(jobId: string): boolean;
  /** Up to `count`, those first that were added first. */
  next(count: number): readonly string[];
  drop(jobIds: readonly string[]): void;
}

export function createPendingRestores(database: DatabaseSync): PendingRestores {
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
