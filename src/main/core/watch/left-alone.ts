import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import * as v from 'valibot';
import { untilWritten } from '../database/until-written.ts';
import type { Signature } from './eyes/eyes.ts';

/** A file that was there before its folder was watched. */
export interface LeftAloneFile {
  readonly folderId: string;
  /** Relative to the folder, as this system writes paths. */
  readonly path: string;
  /** Newest is highest. */
  readonly number: number;
  readonly at: number;
  readonly isThere: boolean;
  readonly signature: Signature;
  readonly durationSeconds: number | null;
}

/**
 * The files that nobody decided about, on disk. A first look over a folder finds tens of thousands of them while somebody looks at the
 * window, so to put one costs a few millionths of a second; it is kept like everything else.
 */
export interface LeftAlone {
  /** False where the file has a line of its own, with more to tell. */
  put(folderId: string, path: string, signature: Signature, at: number): boolean;
  get(folderId: string, path: string): LeftAloneFile | undefined;
  /** True where it stands as it was when it was last looked at. */
  isAsItWas(folderId: string, path: string, signature: Signature): boolean;
  /** True where one of them has this inode, size and time: it is the same one, under another name perhaps. */
  has(folderId: string, signature: Signature): boolean;
  change(file: LeftAloneFile): void;
  remove(folderId: string, path: string): void;
  /** Newest first: those below `before` whose files are there. */
  page(folderId: string, before: number, limit: number): readonly LeftAloneFile[];
  /** Oldest first: those above `after` whose files are there. */
  walk(folderId: string, after: number, limit: number): readonly LeftAloneFile[];
  sum(folderId: string): LeftAloneSum;
}

/** `files` and the `seconds` of those that were measured count what is there. */
interface LeftAloneSum {
  readonly known: number;
  readonly files: number;
  readonly seconds: number;
}

const row = v.object({
  folder_id: v.string(),
  path: v.string(),
  number: v.number(),
  at: v.number(),
  is_there: v.number(),
  device: v.string(),
  inode: v.string(),
  size_bytes: v.number(),
  modified_ns: v.string(),
  changed_ns: v.string(),
  duration_seconds: v.nullable(v.number()),
});

function read(stored: Record<string, SQLOutputValue>): LeftAloneFile {
  const { folder_id: folderId, is_there: isThere, duration_seconds: durationSeconds, ...file } = v.parse(row, stored);
  const { device, inode, size_bytes: sizeBytes, modified_ns: modifiedNs, changed_ns: changedNs } = file;
  return {
    folderId,
    path: file.path,
    number: file.number,
    at: file.at,
    isThere: isThere === 1,
    signature: { device, inode, sizeBytes, modifiedNs, changedNs },
    durationSeconds,
  };
}

export function createLeftAlone(database: DatabaseSync): LeftAlone {
  const statement = (sql: string) => database.prepare(sql);
  const insert = statement(
    `INSERT INTO left_alone (folder_id, path, device, inode, size_bytes, modified_ns, changed_ns, at, is_there)
     SELECT :folderId, :path, :device, :inode, :sizeBytes, :modifiedNs, :changedNs, :at, 1
     WHERE NOT EXISTS (SELECT 1 FROM watched_file WHERE folder_id = :folderId AND path = :path)
     ON CONFLICT (folder_id, path) DO UPDATE SET device = excluded.device, inode = excluded.inode,
       size_bytes = excluded.size_bytes, modified_ns = excluded.modified_ns, changed_ns = excluded.changed_ns, is_there = 1,
       duration_seconds = iif(size_bytes = excluded.size_bytes AND modified_ns = excluded.modified_ns, duration_seconds, NULL)`,
  );
  const selectOne = statement('SELECT * FROM left_alone WHERE folder_id = ? AND path = ?');
  const selectSame = statement(
    `SELECT 1 FROM left_alone WHERE folder_id = ? AND path = ? AND is_there = 1
       AND size_bytes = ? AND modified_ns = ? AND changed_ns = ?`,
  );
  // Left to itself, SQLite compares a new file with all that are known of its folder.
  const selectInode = statement(
    `SELECT 1 FROM left_alone INDEXED BY left_alone_inode
     WHERE inode = ? AND folder_id = ? AND size_bytes = ? AND modified_ns = ?`,
  );
  const update = statement(
    `UPDATE left_alone SET device = ?, inode = ?, size_bytes = ?, modified_ns = ?, changed_ns = ?, is_there = ?,
       duration_seconds = ? WHERE number = ?`,
  );
  const drop = statement('DELETE FROM left_alone WHERE folder_id = ? AND path = ?');
  // The signs keep SQLite to the order of numbers: by the index of paths it would sort all files of the folder for each page.
  const selectPage = statement(
    'SELECT * FROM left_alone WHERE +folder_id = ? AND number < ? AND is_there = 1 ORDER BY number DESC LIMIT ?',
  );
  const selectWalk = statement(
    'SELECT * FROM left_alone WHERE +folder_id = ? AND number > ? AND is_there = 1 ORDER BY number LIMIT ?',
  );
  const selectSum = statement(
    `SELECT count(*) AS known, coalesce(sum(is_there), 0) AS files,
       coalesce(sum(iif(is_there = 1, duration_seconds, 0)), 0) AS seconds
     FROM left_alone WHERE +folder_id = ?`,
  );

  // A folder's numbers are shown again and again.
  const sums = untilWritten(database, (folderId): LeftAloneSum => {
    const found = selectSum.get(folderId);
    return { known: Number(found?.['known']), files: Number(found?.['files']), seconds: Number(found?.['seconds']) };
  });

  return {
    put(folderId, path, { device, inode, sizeBytes, modifiedNs, changedNs }, at) {
      sums.forget(folderId);
      return insert.run({ folderId, path, device, inode, sizeBytes, modifiedNs, changedNs, at }).changes === 1;
    },
    get(folderId, path) {
      const found = selectOne.get(folderId, path);
      return found && read(found);
    },
    isAsItWas: (folderId, path, { sizeBytes, modifiedNs, changedNs }) =>
      selectSame.get(folderId, path, sizeBytes, modifiedNs, changedNs) !== undefined,
    has: (folderId, { inode, sizeBytes, modifiedNs }) =>
      selectInode.get(inode, folderId, sizeBytes, modifiedNs) !== undefined,
    change({ folderId, signature, isThere, durationSeconds, number }) {
      sums.forget(folderId);
      const { device, inode, sizeBytes, modifiedNs, changedNs } = signature;
      update.run(device, inode, sizeBytes, modifiedNs, changedNs, isThere ? 1 : 0, durationSeconds, number);
    },
    remove(folderId, path) {
      sums.forget(folderId);
      drop.run(folderId, path);
    },
    page: (folderId, before, limit) => selectPage.all(folderId, before, limit).map(read),
    walk: (folderId, after, limit) => selectWalk.all(folderId, after, limit).map(read),
    sum: sums.get,
  };
}
