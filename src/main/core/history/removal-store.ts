import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { fromRow, nullableText, storedJson, type StoredRow } from '../database/columns.ts';
import { unfinished } from '../database/schema.ts';
import { nameKey } from '../files/names.ts';
import type { OutputName } from '../files/publish.ts';
import type { StashedFile } from '../files/stash.ts';

/** A result that is being removed from history or restored. */
export interface RemovedFile extends StashedFile {
  /** The removal it belongs to, which is undone as a whole. */
  readonly removal: string;
  /** `trash` moves it to the trash, `restore` gives it its name back. */
  readonly intent: 'trash' | 'restore';
  /** Entries with this result, including those removed earlier. */
  readonly jobs: readonly string[];
}

/** Records of removed files: written before a file is touched, deleted when nothing is left to do. */
export interface RemovedFiles {
  add(file: RemovedFile): void;
  setIntent(removal: string, intent: RemovedFile['intent']): void;
  reserve(id: string, name: OutputName): void;
  remove(id: string): void;
  /** Removed files whose original path this is. */
  atPath(path: string): readonly RemovedFile[];
  /** Up to `count` files with ids after this one, by id. */
  after(id: string, count: number): readonly RemovedFile[];
}

const method = v.picklist(['link', 'placeholder']);
const fileRow = v.object({
  id: v.string(),
  removal: v.string(),
  intent: v.picklist(['trash', 'restore']),
  jobs: storedJson(v.array(v.string())),
  path: v.string(),
  method,
  sha256: v.string(),
  sizeBytes: v.number(),
  device: v.string(),
  inode: v.string(),
  restorePath: nullableText,
  restoreMethod: v.nullable(method),
});

function read(row: StoredRow): RemovedFile {
  const { sha256, sizeBytes, device, inode, restorePath, restoreMethod, ...file } = v.parse(fileRow, fromRow(row));
  return {
    ...file,
    finished: { sha256, sizeBytes, identity: { device, inode } },
    reserved: restorePath === null || restoreMethod === null ? null : { path: restorePath, method: restoreMethod },
  };
}

export function createRemovedFiles(database: DatabaseSync): RemovedFiles {
  const insert = database.prepare(
    `INSERT INTO removed_file (id, removal, intent, jobs, path, method, sha256, size_bytes, device, inode)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateIntent = database.prepare('UPDATE removed_file SET intent = ? WHERE removal = ?');
  const setReserved = database.prepare('UPDATE removed_file SET restore_path = ?, restore_method = ? WHERE id = ?');
  const drop = database.prepare('DELETE FROM removed_file WHERE id = ?');
  const selectAt = database.prepare('SELECT * FROM removed_file WHERE path = ?');
  const selectAfter = database.prepare('SELECT * FROM removed_file WHERE id > ? ORDER BY id LIMIT ?');
  return {
    add({ id, removal, intent, jobs, path, method, finished: { sha256, sizeBytes, identity } }) {
      const { device, inode } = identity;
      insert.run(id, removal, intent, JSON.stringify(jobs), path, method, sha256, sizeBytes, device, inode);
    },
    setIntent: (removal, intent) => void updateIntent.run(intent, removal),
    reserve: (id, { path, method }) => void setReserved.run(path, method, id),
    remove: (id) => void drop.run(id),
    atPath: (path) => selectAt.all(path).map(read),
    after: (id, count) => selectAfter.all(id, count).map(read),
  };
}

/** A result, identified by path and content. */
export interface UsedFile {
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
}

/** Finds the entries and jobs that refer to a result. */
export interface FileReferences {
  /** Entries with this result, including hidden ones. */
  resultOwners(file: UsedFile): readonly string[];
  /**
   * True if the file must stay: an unfinished job uses it as source, or a visible entry outside
   * `excluded` has it as result or source. A source that was never hashed is assumed to match.
   */
  isReferenced(file: UsedFile, excluded: ReadonlySet<string>): boolean;
}

export function createFileReferences(database: DatabaseSync, isShown: (jobId: string) => boolean): FileReferences {
  const selectResults = database.prepare(
    "SELECT id FROM job WHERE output_key = :key AND output_path = :path AND output_sha256 = :sha256 AND state = 'done'",
  );
  const selectSources = database.prepare(
    `SELECT id, ${unfinished} AS waits FROM job
     WHERE source_path = :path AND coalesce(source_sha256, source ->> '$.sha256', :sha256) = :sha256`,
  );
  const resultOwners = ({ path, sha256 }: UsedFile): readonly string[] =>
    selectResults.all({ key: nameKey(path), path, sha256 }).map(({ id }) => String(id));

  return {
    resultOwners,
    isReferenced(file, excluded) {
      const remains = (id: string) => !excluded.has(id) && isShown(id);
      const { path, sha256 } = file;
      return (
        resultOwners(file).some(remains) ||
        selectSources.all({ path, sha256 }).some(({ id, waits }) => waits === 1 || remains(String(id)))
      );
    },
  };
}

/** Persistent list of entries that an undo has yet to show again. */
export interface PendingRestores {
  add(jobIds: readonly string[]): void;
  has(jobId: string): boolean;
  /** Up to `count` entries, in the order of insertion. */
  next(count: number): readonly string[];
  remove(jobIds: readonly string[]): void;
}

export function createPendingRestores(database: DatabaseSync): PendingRestores {
  const insert = database.prepare('INSERT OR IGNORE INTO pending_restore (id) SELECT value FROM json_each(?)');
  const select = database.prepare('SELECT 1 FROM pending_restore WHERE id = ?');
  const selectNext = database.prepare('SELECT id FROM pending_restore ORDER BY number LIMIT ?');
  const drop = database.prepare('DELETE FROM pending_restore WHERE id IN (SELECT value FROM json_each(?))');
  return {
    add: (jobIds) => void insert.run(JSON.stringify(jobIds)),
    has: (jobId) => select.get(jobId) !== undefined,
    next: (count) => selectNext.all(count).map(({ id }) => String(id)),
    remove: (jobIds) => void drop.run(JSON.stringify(jobIds)),
  };
}
