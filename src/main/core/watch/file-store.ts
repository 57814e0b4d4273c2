import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { flag, fromRow, nullableNumber, type StoredRow } from '../database/columns.ts';
import {
  emptyRecord,
  columnsOf,
  emptyStamp,
  type FileRecord,
  readFileRecord,
  stampColumns,
  type RecordedDecision,
} from './file-record.ts';
import type { Signature } from '../files/identity.ts';
import { unsettled } from './ledger.ts';

/** A file that was there before its folder was watched. */
interface BaselineFile {
  readonly folderId: string;
  /** Relative to the folder, as this system writes paths. */
  readonly path: string;
  /** Grows with each file added. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  readonly isPresent: boolean;
  readonly signature: Signature;
  readonly durationSeconds: number | null;
}

/**
 * Files found before the folder was watched that the user has not decided about, on disk. A first scan can find
 * tens of thousands of them while the window is open, so adding one must cost only a few microseconds.
 */
interface Baseline {
  /** Returns false if the file already has a `FileRecord`, which says more. */
  upsert(folderId: string, path: string, signature: Signature, at: number): boolean;
  find(folderId: string, path: string): BaselineFile | undefined;
  /** True if the file is present and unchanged since it was last seen. */
  isUnchanged(folderId: string, path: string, signature: Signature): boolean;
  /** True if one of them has this inode, size and time: the same file, perhaps renamed. */
  has(folderId: string, signature: Signature): boolean;
  update(file: BaselineFile): void;
  remove(folderId: string, path: string): void;
  removeAll(folderId: string): void;
  /** Files that are present, newest first, with a number below `before`. */
  listPage(folderId: string, before: number, limit: number): readonly BaselineFile[];
  /** Files that are present, oldest first, with a number above `after`. */
  listAscending(folderId: string, after: number, limit: number): readonly BaselineFile[];
  totals(folderId: string): BaselineTotals;
}

/** `known` counts all files; `files` counts those present, `texts` the texts of them, and `seconds` is the length of the measured ones. */
interface BaselineTotals {
  readonly known: number;
  readonly files: number;
  readonly texts: number;
  readonly seconds: number;
}

const baselineRow = v.object({
  folderId: v.string(),
  path: v.string(),
  number: v.number(),
  seenAt: v.number(),
  isPresent: flag,
  ...stampColumns,
  durationSeconds: nullableNumber,
});

const totalsRow = v.object({ known: v.number(), files: v.number(), texts: v.number(), seconds: v.number() });
/** The totals of a folder that was removed. */
const noFiles: BaselineTotals = { known: 0, files: 0, texts: 0, seconds: 0 };

function read(stored: StoredRow): BaselineFile {
  const { device, inode, sizeBytes, modifiedNs, changedNs, ...file } = v.parse(baselineRow, fromRow(stored));
  return { ...file, signature: { device, inode, sizeBytes, modifiedNs, changedNs } };
}

/** `Baseline.upsert`, also for a connection that does nothing else. */
export function createBaselineInsert(database: DatabaseSync): Baseline['upsert'] {
  // By number: names take as long to bind as the row to look up.
  const insert = database.prepare(
    `INSERT INTO baseline_file (folder_id, path, device, inode, size_bytes, modified_ns, changed_ns, seen_at, is_present)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1
     WHERE NOT EXISTS (SELECT 1 FROM watched_file WHERE folder_id = ?1 AND path = ?2)
     ON CONFLICT (folder_id, path) DO UPDATE SET device = excluded.device, inode = excluded.inode,
       size_bytes = excluded.size_bytes, modified_ns = excluded.modified_ns, changed_ns = excluded.changed_ns, is_present = 1,
       duration_seconds = iif(size_bytes = excluded.size_bytes AND modified_ns = excluded.modified_ns, duration_seconds, NULL)`,
  );
  return (folderId, path, { device, inode, sizeBytes, modifiedNs, changedNs }, at) =>
    insert.run(folderId, path, device, inode, sizeBytes, modifiedNs, changedNs, at).changes === 1;
}

function createBaseline(database: DatabaseSync): Baseline {
  const statement = (sql: string) => database.prepare(sql);
  const upsert = createBaselineInsert(database);
  const selectOne = statement('SELECT * FROM baseline_file WHERE folder_id = ? AND path = ?');
  const selectSame = statement(
    `SELECT 1 FROM baseline_file WHERE folder_id = ? AND path = ? AND is_present = 1
       AND size_bytes = ? AND modified_ns = ? AND changed_ns = ?`,
  );
  // Without the hint, SQLite picks an index that compares a new file with all baseline files of its folder.
  const selectInode = statement(
    `SELECT 1 FROM baseline_file INDEXED BY baseline_file_inode
     WHERE inode = ? AND folder_id = ? AND size_bytes = ? AND modified_ns = ?`,
  );
  const updateRow = statement(
    `UPDATE baseline_file SET device = ?, inode = ?, size_bytes = ?, modified_ns = ?, changed_ns = ?, is_present = ?,
       duration_seconds = ? WHERE number = ?`,
  );
  const drop = statement('DELETE FROM baseline_file WHERE folder_id = ? AND path = ?');
  const dropAll = statement('DELETE FROM baseline_file WHERE folder_id = ?');
  // The plus signs make SQLite read in order of `number`; by the path index it would sort the whole folder for each page.
  const selectPage = statement(
    'SELECT * FROM baseline_file WHERE +folder_id = ? AND number < ? AND is_present = 1 ORDER BY number DESC LIMIT ?',
  );
  const selectAscending = statement(
    'SELECT * FROM baseline_file WHERE +folder_id = ? AND number > ? AND is_present = 1 ORDER BY number LIMIT ?',
  );
  const selectTotals = statement(
    'SELECT known, files, texts, milliseconds / 1000.0 AS seconds FROM baseline_total WHERE folder_id = ?',
  );

  return {
    upsert,
    find(folderId, path) {
      const found = selectOne.get(folderId, path);
      return found && read(found);
    },
    isUnchanged: (folderId, path, { sizeBytes, modifiedNs, changedNs }) =>
      selectSame.get(folderId, path, sizeBytes, modifiedNs, changedNs) !== undefined,
    has: (folderId, { inode, sizeBytes, modifiedNs }) =>
      selectInode.get(inode, folderId, sizeBytes, modifiedNs) !== undefined,
    update({ signature, isPresent, durationSeconds, number }) {
      const { device, inode, sizeBytes, modifiedNs, changedNs } = signature;
      updateRow.run(device, inode, sizeBytes, modifiedNs, changedNs, isPresent ? 1 : 0, durationSeconds, number);
    },
    remove(folderId, path) {
      drop.run(folderId, path);
    },
    removeAll: (folderId) => void dropAll.run(folderId),
    listPage: (folderId, before, limit) => selectPage.all(folderId, before, limit).map(read),
    listAscending: (folderId, after, limit) => selectAscending.all(folderId, after, limit).map(read),
    totals(folderId) {
      const found = selectTotals.get(folderId);
      return found ? v.parse(totalsRow, found) : noFiles;
    },
  };
}

/** The fields to change; the others keep their values. Baseline files are added with `addToBaseline` instead. */
export type RecordChange = Partial<
  Omit<FileRecord, 'folderId' | 'path' | 'changeNumber' | 'stateChangedAt' | 'decision'>
> & {
  readonly decision?: RecordedDecision;
};

export interface RecordCounts {
  readonly known: number;
  readonly incoming: number;
  /** Only files that are present: the user cannot do anything about the others. */
  readonly attention: number;
  /** Incoming files that wait for another day's budget. */
  readonly overBudget: number;
}

/** Records of watched files in the database. Every change is readable once the call returns; it does not wait for the disk. */
export interface FileStore {
  find(folderId: string, path: string): FileRecord | undefined;
  /**
   * Creates or changes a record and moves it to the top. A new one needs its `signature`. `known` is the record
   * if the caller has just read it, null for none: with fifty thousand files each query counts.
   */
  upsert(folderId: string, path: string, change: RecordChange, known?: FileRecord | null): FileRecord;
  /** Adds a file that was present before the folder was watched. Returns false if the file already has a record. */
  addToBaseline(folderId: string, path: string, signature: Signature): boolean;
  /** Changes a record without moving it to the top, for changes that the user need not see. */
  updateInPlace(
    folderId: string,
    path: string,
    change: Pick<RecordChange, 'signature' | 'isPresent' | 'durationSeconds'>,
  ): void;
  /** True if the file is in the baseline and unchanged, which holds for most files in most scans. */
  isUnchangedInBaseline(folderId: string, path: string, signature: Signature): boolean;
  /** True if a baseline file has this inode, size and time: the same file, perhaps renamed. */
  isInBaseline(folderId: string, signature: Signature): boolean;
  listByJob(jobId: string): readonly FileRecord[];
  /** Files that have the same content as another one. */
  listCopies(folderId: string, sha256: string): readonly FileRecord[];
  /** Jobs of the present files that need the user. */
  listJobsInNeed(folderId: string): readonly string[];
  /** Newest first, with a `changeNumber` below `before`. */
  listPage(folderId: string, before: number | null, only: 'all' | 'attention', limit: number): readonly FileRecord[];
  /** Paths of present files with this decision, oldest first. */
  listPaths(folderId: string, decision: RecordedDecision): readonly string[];
  /** Paths of files that wait for another day's budget and are no longer than `maxSeconds`, oldest first. */
  listOverBudget(folderId: string, maxSeconds: number): readonly string[];
  /** Baseline files that are present, oldest first, with a `changeNumber` above `after`. */
  listBaseline(folderId: string, after: number, limit: number): readonly FileRecord[];
  listOpen(folderId: string): readonly FileRecord[];
  /** Paths of present files whose record is not settled. */
  listUnsettled(folderId: string): readonly string[];
  /** Number and total length of the baseline files. */
  baselineTotals(folderId: string): { readonly files: number; readonly texts: number; readonly seconds: number };
  counts(folderId: string): RecordCounts;
  /** Forgets all files but those whose job has not ended, or is in doubt. */
  forgetSettled(folderId: string): void;
  /** Applies new settings: settled files become `job` if they were converted with one of them, otherwise `other-settings`. */
  redecideAll(folderId: string, settingsHashes: readonly string[]): void;
}

/** Must match the condition of the partial index literally, or SQLite does not use the index. */
const isNotOver = `stage <> 'rest'`;
/** Hides deleted files, except those that Timbre moved to Done. */
const isShown = `(is_present = 1 OR moved_to IS NOT NULL OR ${isNotOver})`;

/** Sorts baseline files below all records. */
const baselineChangeNumber = -(2 ** 52);

const baselineRecord = ({ number, seenAt, ...file }: BaselineFile): FileRecord => ({
  ...emptyRecord,
  ...file,
  changeNumber: baselineChangeNumber + number,
  stateChangedAt: seenAt,
  decision: 'baseline',
});

export function createFileStore(database: DatabaseSync, clock: Pick<Clock, 'now'>): FileStore {
  const baseline = createBaseline(database);
  const statement = (sql: string) => database.prepare(sql);
  const selectOne = statement('SELECT * FROM watched_file WHERE folder_id = ? AND path = ?');
  const names = Object.keys(
    columnsOf({ ...emptyRecord, folderId: '', path: '', changeNumber: 0, stateChangedAt: 0, signature: emptyStamp }),
  );
  const write = statement(
    `INSERT INTO watched_file (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})
     ON CONFLICT (folder_id, path) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  );
  const selectLatestChange = statement(
    'SELECT coalesce(max(change_number), 0) AS change_number FROM watched_file WHERE folder_id = ?',
  );
  const selectOfJob = statement('SELECT * FROM watched_file WHERE job_id = ?');
  const selectCopies = statement(
    `SELECT * FROM watched_file INDEXED BY watched_file_content WHERE folder_id = ? AND sha256 = ? AND decision = 'same-sound'`,
  );
  const selectPage = statement(
    `SELECT * FROM watched_file WHERE folder_id = ? AND change_number < ? AND ${isShown} ORDER BY change_number DESC LIMIT ?`,
  );
  const selectAttention = statement(
    `SELECT * FROM watched_file WHERE folder_id = ? AND stage = 'attention' AND ${isNotOver} AND is_present = 1 AND change_number < ?
     ORDER BY change_number DESC LIMIT ?`,
  );
  const selectPaths = statement(
    'SELECT path FROM watched_file WHERE folder_id = ? AND decision = ? AND is_present = 1 ORDER BY change_number',
  );
  const selectOverBudget = statement(
    `SELECT path FROM watched_file WHERE folder_id = ? AND decision = 'budget' AND is_present = 1 AND duration_seconds <= ?
     ORDER BY change_number`,
  );
  const selectOpen = statement(`SELECT * FROM watched_file WHERE folder_id = ? AND stage = 'open' AND ${isNotOver}`);
  const selectUnsettled = statement(
    `SELECT path FROM watched_file WHERE folder_id = ? AND ${isNotOver} AND is_present = 1`,
  );
  const countAll = statement('SELECT count(*) AS n FROM watched_file WHERE folder_id = ?');
  const countOpen = statement(
    `SELECT count(*) AS n FROM watched_file WHERE folder_id = ? AND stage = 'open' AND ${isNotOver}`,
  );
  const selectJobsInNeed = statement(
    `SELECT DISTINCT job_id FROM watched_file
     WHERE folder_id = ? AND stage = 'attention' AND ${isNotOver} AND is_present = 1 AND job_id IS NOT NULL`,
  );
  const countAttention = statement(
    `SELECT count(*) AS n FROM watched_file WHERE folder_id = ? AND stage = 'attention' AND ${isNotOver} AND is_present = 1`,
  );
  const countDecision = statement(
    'SELECT count(*) AS n FROM watched_file WHERE folder_id = ? AND decision = ? AND is_present = 1',
  );

  const find = (folderId: string, path: string): FileRecord | undefined => {
    const row = selectOne.get(folderId, path);
    if (row) return readFileRecord(row);
    const file = baseline.find(folderId, path);
    return file && baselineRecord(file);
  };
  const ofLedger = `SELECT job_id FROM watch_ledger AS ledger
    WHERE ledger.folder_id = watched_file.folder_id AND ledger.sha256 = watched_file.sha256`;
  const redecide = statement(
    `UPDATE watched_file SET
       decision = iif(EXISTS (${ofLedger} AND settings_hash IN (SELECT value FROM json_each(:hashes))), 'job', 'other-settings'),
       job_id = coalesce((${ofLedger} AND settings_hash IN (SELECT value FROM json_each(:hashes))
         ORDER BY ledger.job_id = watched_file.job_id DESC, +submitted_at DESC LIMIT 1), job_id)
     WHERE folder_id = :id AND decision IN ('job', 'other-settings') AND stage = 'rest' AND sha256 IS NOT NULL`,
  );
  const dropSettled = statement(
    `DELETE FROM watched_file WHERE folder_id = ? AND NOT (decision = 'job' AND
       EXISTS (SELECT 1 FROM job WHERE job.id = watched_file.job_id AND ${unsettled}))`,
  );
  const count = (row: StoredRow | undefined, name: string) => Number(row?.[name] ?? 0);

  return {
    find,
    upsert(folderId, path, change, known) {
      const before = (known === undefined ? find(folderId, path) : known) ?? {
        ...emptyRecord,
        folderId,
        path,
        signature: emptyStamp,
      };
      const changeNumber = count(selectLatestChange.get(folderId), 'change_number') + 1;
      const isNew =
        !('stateChangedAt' in before) || (change.decision !== undefined && change.decision !== before.decision);
      const stateChangedAt = isNew ? clock.now() : before.stateChangedAt;
      const record: FileRecord = { ...before, ...change, changeNumber, stateChangedAt };
      write.run(columnsOf(record));
      if (before.decision === 'baseline') baseline.remove(folderId, path);
      return record;
    },
    addToBaseline: (folderId, path, signature) => baseline.upsert(folderId, path, signature, clock.now()),
    updateInPlace(folderId, path, change) {
      const row = selectOne.get(folderId, path);
      if (row) write.run(columnsOf({ ...readFileRecord(row), ...change }));
      else {
        const file = baseline.find(folderId, path);
        if (file) baseline.update({ ...file, ...change });
      }
    },
    isUnchangedInBaseline: baseline.isUnchanged,
    isInBaseline: baseline.has,
    listByJob: (jobId) => selectOfJob.all(jobId).map(readFileRecord),
    listCopies: (folderId, sha256) => selectCopies.all(folderId, sha256).map(readFileRecord),
    listJobsInNeed: (folderId) => selectJobsInNeed.all(folderId).map((row) => String(row['job_id'])),
    listPage(folderId, before, only, limit) {
      const below = before ?? Number.MAX_SAFE_INTEGER;
      const select = only === 'all' ? selectPage : selectAttention;
      const page = below > 0 ? select.all(folderId, below, limit).map(readFileRecord) : [];
      if (only === 'attention' || page.length === limit) return page;
      const numberBelow = below > 0 ? Number.MAX_SAFE_INTEGER : below - baselineChangeNumber;
      return [...page, ...baseline.listPage(folderId, numberBelow, limit - page.length).map(baselineRecord)];
    },
    listPaths: (folderId, decision) => selectPaths.all(folderId, decision).map(({ path }) => String(path)),
    listOverBudget: (folderId, maxSeconds) =>
      selectOverBudget.all(folderId, maxSeconds).map(({ path }) => String(path)),
    listBaseline: (folderId, after, limit) =>
      baseline.listAscending(folderId, after - baselineChangeNumber, limit).map(baselineRecord),
    listOpen: (folderId) => selectOpen.all(folderId).map(readFileRecord),
    listUnsettled: (folderId) => selectUnsettled.all(folderId).map(({ path }) => String(path)),
    baselineTotals: baseline.totals,
    counts: (folderId) => ({
      known: count(countAll.get(folderId), 'n') + baseline.totals(folderId).known,
      incoming: count(countOpen.get(folderId), 'n'),
      attention: count(countAttention.get(folderId), 'n'),
      overBudget: count(countDecision.get(folderId, 'budget'), 'n'),
    }),
    forgetSettled(folderId) {
      dropSettled.run(folderId);
      baseline.removeAll(folderId);
    },
    redecideAll: (id, hashes) => void redecide.run({ id, hashes: JSON.stringify(hashes) }),
  };
}
