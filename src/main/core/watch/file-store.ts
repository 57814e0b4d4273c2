import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { cachedUntilWrite } from '../database/sqlite.ts';
import type { Signature } from '../scanner/scanner.ts';
import {
  emptyRecord,
  columnsOf,
  emptyStamp,
  type FileRecord,
  readFileRecord,
  type Row,
  type ToldVerdict,
} from './file-record.ts';

/** A file that was there before its folder was watched. */
export interface BaselineFile {
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
export interface Baseline {
  /** False where the file has a line of its own, with more to tell. */
  put(folderId: string, path: string, signature: Signature, at: number): boolean;
  get(folderId: string, path: string): BaselineFile | undefined;
  /** True where it stands as it was when it was last looked at. */
  isAsItWas(folderId: string, path: string, signature: Signature): boolean;
  /** True where one of them has this inode, size and time: it is the same one, under another name perhaps. */
  has(folderId: string, signature: Signature): boolean;
  change(file: BaselineFile): void;
  remove(folderId: string, path: string): void;
  /** Newest first: those below `before` whose files are there. */
  page(folderId: string, before: number, limit: number): readonly BaselineFile[];
  /** Oldest first: those above `after` whose files are there. */
  walk(folderId: string, after: number, limit: number): readonly BaselineFile[];
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

function read(stored: Record<string, SQLOutputValue>): BaselineFile {
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

export function createBaseline(database: DatabaseSync): Baseline {
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
  const sums = cachedUntilWrite(database, (folderId): LeftAloneSum => {
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

/** What a line is given; the rest it keeps, or has from the start. A file that is left alone is none of these: see `leave`. */
export type RecordChange = Partial<Omit<FileRecord, 'folderId' | 'path' | 'order' | 'at' | 'verdict'>> & {
  readonly verdict?: ToldVerdict;
};

export interface RecordCounts {
  readonly known: number;
  readonly incoming: number;
  /** Whose files are there: for the others nobody can do anything. */
  readonly attention: number;
  /** Of the incoming ones those that wait for another day. */
  readonly held: number;
}

/** The lines about files, on disk. Every change is there before the call returns, and nobody waits for the disk. */
export interface FileStore {
  get(folderId: string, path: string): FileRecord | undefined;
  /**
   * Makes a line, or changes one and puts it on top. A new one must say its signature. `known` is the line as somebody has just read it,
   * null for none: among fifty thousand files each look counts.
   */
  put(folderId: string, path: string, change: RecordChange, known?: FileRecord | null): FileRecord;
  /** The file was there before and nobody decided about it. False where there is a line of it that says otherwise. */
  leave(folderId: string, path: string, signature: Signature): boolean;
  /** Changes a line where it stands: for what a person need not see. */
  touch(folderId: string, path: string, change: Pick<RecordChange, 'signature' | 'isThere' | 'durationSeconds'>): void;
  /** True where the file was left alone and is as it was: on most looks that is all there is to say of most files. */
  isLeftAlone(folderId: string, path: string, signature: Signature): boolean;
  /** True where a file that was left alone has this inode, size and time: it is the same one, under another name perhaps. */
  wasBefore(folderId: string, signature: Signature): boolean;
  ofJob(jobId: string): readonly FileRecord[];
  /** Newest first: those below `before`. */
  page(folderId: string, before: number | null, only: 'all' | 'attention', limit: number): readonly FileRecord[];
  /** Paths with this verdict whose files are there, oldest first. */
  paths(folderId: string, verdict: ToldVerdict): readonly string[];
  /** Paths of files that wait for another day and are no longer than this, oldest first. */
  held(folderId: string, mostSeconds: number): readonly string[];
  /** Files that were left alone and are there, oldest first: those above the order `after`. */
  leftAlone(folderId: string, after: number, limit: number): readonly FileRecord[];
  open(folderId: string): readonly FileRecord[];
  /** Paths of lines that are not over and whose files are there. */
  unsettled(folderId: string): readonly string[];
  /** Number and summed length of files that were left alone. */
  before(folderId: string): { readonly files: number; readonly seconds: number };
  counts(folderId: string): RecordCounts;
  /** The folder has other settings: what was converted with these is converted, the rest was converted with others. */
  judgeAnew(folderId: string, settingsHash: string): void;
}

/** Word for word as the index has it: only then does SQLite use it. */
const isNotOver = `standing <> 'rest'`;
/** A file that is gone has no line to look at, unless it went where we put it. */
const isShown = `(is_there = 1 OR moved_to IS NOT NULL OR ${isNotOver})`;

/** Below every line that has something to tell. */
const orderLeftAlone = -(2 ** 52);

const lineLeftAlone = ({ number, ...file }: BaselineFile): FileRecord => ({
  ...emptyRecord,
  ...file,
  order: orderLeftAlone + number,
  verdict: 'before',
});

export function createFileStore(database: DatabaseSync, clock: Pick<Clock, 'now'>): FileStore {
  const leftAlone = createBaseline(database);
  const statement = (sql: string) => database.prepare(sql);
  const selectOne = statement('SELECT * FROM watched_file WHERE folder_id = ? AND path = ?');
  const names = Object.keys(
    columnsOf({ ...emptyRecord, folderId: '', path: '', order: 0, at: 0, signature: emptyStamp }),
  );
  const write = statement(
    `INSERT INTO watched_file (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})
     ON CONFLICT (folder_id, path) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  );
  const selectTop = statement('SELECT coalesce(max(change), 0) AS change FROM watched_file WHERE folder_id = ?');
  const selectOfJob = statement('SELECT * FROM watched_file WHERE job_id = ?');
  const selectPage = statement(
    `SELECT * FROM watched_file WHERE folder_id = ? AND change < ? AND ${isShown} ORDER BY change DESC LIMIT ?`,
  );
  const selectAttention = statement(
    `SELECT * FROM watched_file WHERE folder_id = ? AND standing = 'attention' AND ${isNotOver} AND is_there = 1 AND change < ?
     ORDER BY change DESC LIMIT ?`,
  );
  const selectPaths = statement(
    'SELECT path FROM watched_file WHERE folder_id = ? AND verdict = ? AND is_there = 1 ORDER BY change',
  );
  const selectHeld = statement(
    `SELECT path FROM watched_file WHERE folder_id = ? AND verdict = 'budget' AND is_there = 1 AND duration_seconds <= ?
     ORDER BY change`,
  );
  const selectOpen = statement(`SELECT * FROM watched_file WHERE folder_id = ? AND standing = 'open' AND ${isNotOver}`);
  const selectUnsettled = statement(
    `SELECT path FROM watched_file WHERE folder_id = ? AND ${isNotOver} AND is_there = 1`,
  );
  const countAll = statement('SELECT count(*) AS n FROM watched_file WHERE folder_id = ?');
  const countOpen = statement(
    `SELECT count(*) AS n FROM watched_file WHERE folder_id = ? AND standing = 'open' AND ${isNotOver}`,
  );
  const countAttention = statement(
    `SELECT count(*) AS n FROM watched_file WHERE folder_id = ? AND standing = 'attention' AND ${isNotOver} AND is_there = 1`,
  );
  const countVerdict = statement(
    'SELECT count(*) AS n FROM watched_file WHERE folder_id = ? AND verdict = ? AND is_there = 1',
  );

  const get = (folderId: string, path: string): FileRecord | undefined => {
    const row = selectOne.get(folderId, path);
    if (row) return readFileRecord(row);
    const file = leftAlone.get(folderId, path);
    return file && lineLeftAlone(file);
  };
  const ofLedger = `SELECT job_id FROM watch_ledger AS taken
    WHERE taken.folder_id = watched_file.folder_id AND taken.sha256 = watched_file.sha256`;
  const judgeAnew = statement(
    `UPDATE watched_file SET
       verdict = iif(EXISTS (${ofLedger} AND settings_hash = :hash), 'job', 'other-settings'),
       job_id = coalesce((${ofLedger} AND settings_hash = :hash ORDER BY +taken_at DESC LIMIT 1), job_id)
     WHERE folder_id = :id AND verdict IN ('job', 'other-settings') AND standing = 'rest' AND sha256 IS NOT NULL`,
  );
  const count = (row: Row | undefined, name: string) => Number(row?.[name] ?? 0);

  return {
    get,
    put(folderId, path, change, known) {
      const before = (known === undefined ? get(folderId, path) : known) ?? {
        ...emptyRecord,
        folderId,
        path,
        signature: emptyStamp,
      };
      const order = count(selectTop.get(folderId), 'change') + 1;
      const isNew = !('at' in before) || (change.verdict !== undefined && change.verdict !== before.verdict);
      const at = isNew ? clock.now() : before.at;
      const line: FileRecord = { ...before, ...change, order, at };
      write.run(columnsOf(line));
      if (before.verdict === 'before') leftAlone.remove(folderId, path);
      return line;
    },
    leave: (folderId, path, signature) => leftAlone.put(folderId, path, signature, clock.now()),
    touch(folderId, path, change) {
      const row = selectOne.get(folderId, path);
      if (row) write.run(columnsOf({ ...readFileRecord(row), ...change }));
      else {
        const file = leftAlone.get(folderId, path);
        if (file) leftAlone.change({ ...file, ...change });
      }
    },
    isLeftAlone: leftAlone.isAsItWas,
    wasBefore: leftAlone.has,
    ofJob: (jobId) => selectOfJob.all(jobId).map(readFileRecord),
    page(folderId, before, only, limit) {
      const below = before ?? Number.MAX_SAFE_INTEGER;
      const select = only === 'all' ? selectPage : selectAttention;
      const page = below > 0 ? select.all(folderId, below, limit).map(readFileRecord) : [];
      if (only === 'attention' || page.length === limit) return page;
      const numberBelow = below > 0 ? Number.MAX_SAFE_INTEGER : below - orderLeftAlone;
      return [...page, ...leftAlone.page(folderId, numberBelow, limit - page.length).map(lineLeftAlone)];
    },
    paths: (folderId, verdict) => selectPaths.all(folderId, verdict).map(({ path }) => String(path)),
    held: (folderId, mostSeconds) => selectHeld.all(folderId, mostSeconds).map(({ path }) => String(path)),
    leftAlone: (folderId, after, limit) => leftAlone.walk(folderId, after - orderLeftAlone, limit).map(lineLeftAlone),
    open: (folderId) => selectOpen.all(folderId).map(readFileRecord),
    unsettled: (folderId) => selectUnsettled.all(folderId).map(({ path }) => String(path)),
    before: leftAlone.sum,
    counts: (folderId) => ({
      known: count(countAll.get(folderId), 'n') + leftAlone.sum(folderId).known,
      incoming: count(countOpen.get(folderId), 'n'),
      attention: count(countAttention.get(folderId), 'n'),
      held: count(countVerdict.get(folderId, 'budget'), 'n'),
    }),
    judgeAnew: (id, hash) => void judgeAnew.run({ id, hash }),
  };
}
