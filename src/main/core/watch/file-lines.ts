import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import type { Signature } from './eyes/eyes.ts';
import type { FileLine } from './file-line.ts';
import { blankLine, columnsOf, emptySignature, readLine, type Row, type ToldVerdict } from './file-row.ts';
import { createLeftAlone, type LeftAloneFile } from './left-alone.ts';

/** What a line is given; the rest it keeps, or has from the start. A file that is left alone is none of these: see `leave`. */
export type LineChange = Partial<Omit<FileLine, 'folderId' | 'path' | 'order' | 'at' | 'verdict'>> & {
  readonly verdict?: ToldVerdict;
};

export interface LineCounts {
  readonly known: number;
  readonly incoming: number;
  /** Whose files are there: for the others nobody can do anything. */
  readonly attention: number;
  /** Of the incoming ones those that wait for another day. */
  readonly held: number;
}

/** The lines about files, on disk. Every change is there before the call returns, and nobody waits for the disk. */
export interface FileLines {
  get(folderId: string, path: string): FileLine | undefined;
  /**
   * Makes a line, or changes one and puts it on top. A new one must say its signature. `known` is the line as somebody has just read it,
   * null for none: among fifty thousand files each look counts.
   */
  put(folderId: string, path: string, change: LineChange, known?: FileLine | null): FileLine;
  /** The file was there before and nobody decided about it. False where there is a line of it that says otherwise. */
  leave(folderId: string, path: string, signature: Signature): boolean;
  /** Changes a line where it stands: for what a person need not see. */
  touch(folderId: string, path: string, change: Pick<LineChange, 'signature' | 'isThere' | 'durationSeconds'>): void;
  /** True where the file was left alone and is as it was: on most looks that is all there is to say of most files. */
  isLeftAlone(folderId: string, path: string, signature: Signature): boolean;
  /** True where a file that was left alone has this inode, size and time: it is the same one, under another name perhaps. */
  wasBefore(folderId: string, signature: Signature): boolean;
  ofJob(jobId: string): readonly FileLine[];
  /** Newest first: those below `before`. */
  page(folderId: string, before: number | null, only: 'all' | 'attention', limit: number): readonly FileLine[];
  /** Paths with this verdict whose files are there, oldest first. */
  paths(folderId: string, verdict: ToldVerdict): readonly string[];
  /** Paths of files that wait for another day and are no longer than this, oldest first. */
  held(folderId: string, mostSeconds: number): readonly string[];
  /** Files that were left alone and are there, oldest first: those above the order `after`. */
  leftAlone(folderId: string, after: number, limit: number): readonly FileLine[];
  open(folderId: string): readonly FileLine[];
  /** Paths of lines that are not over and whose files are there. */
  unsettled(folderId: string): readonly string[];
  /** Number and summed length of files that were left alone. */
  before(folderId: string): { readonly files: number; readonly seconds: number };
  counts(folderId: string): LineCounts;
  /** The folder has other settings: what was converted with these is converted, the rest was converted with others. */
  judgeAnew(folderId: string, settingsHash: string): void;
}

/** Word for word as the index has it: only then does SQLite use it. */
const isNotOver = `standing <> 'rest'`;
/** A file that is gone has no line to look at, unless it went where we put it. */
const isShown = `(is_there = 1 OR moved_to IS NOT NULL OR ${isNotOver})`;

/** Below every line that has something to tell. */
const orderLeftAlone = -(2 ** 52);

const lineLeftAlone = ({ number, ...file }: LeftAloneFile): FileLine => ({
  ...blankLine,
  ...file,
  order: orderLeftAlone + number,
  verdict: 'before',
});

export function createFileLines(database: DatabaseSync, clock: Pick<Clock, 'now'>): FileLines {
  const leftAlone = createLeftAlone(database);
  const statement = (sql: string) => database.prepare(sql);
  const selectOne = statement('SELECT * FROM watched_file WHERE folder_id = ? AND path = ?');
  const names = Object.keys(
    columnsOf({ ...blankLine, folderId: '', path: '', order: 0, at: 0, signature: emptySignature }),
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

  const get = (folderId: string, path: string): FileLine | undefined => {
    const row = selectOne.get(folderId, path);
    if (row) return readLine(row);
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
        ...blankLine,
        folderId,
        path,
        signature: emptySignature,
      };
      const order = count(selectTop.get(folderId), 'change') + 1;
      const isNew = !('at' in before) || (change.verdict !== undefined && change.verdict !== before.verdict);
      const at = isNew ? clock.now() : before.at;
      const line: FileLine = { ...before, ...change, order, at };
      write.run(columnsOf(line));
      if (before.verdict === 'before') leftAlone.remove(folderId, path);
      return line;
    },
    leave: (folderId, path, signature) => leftAlone.put(folderId, path, signature, clock.now()),
    touch(folderId, path, change) {
      const row = selectOne.get(folderId, path);
      if (row) write.run(columnsOf({ ...readLine(row), ...change }));
      else {
        const file = leftAlone.get(folderId, path);
        if (file) leftAlone.change({ ...file, ...change });
      }
    },
    isLeftAlone: leftAlone.isAsItWas,
    wasBefore: leftAlone.has,
    ofJob: (jobId) => selectOfJob.all(jobId).map(readLine),
    page(folderId, before, only, limit) {
      const below = before ?? Number.MAX_SAFE_INTEGER;
      const select = only === 'all' ? selectPage : selectAttention;
      const page = below > 0 ? select.all(folderId, below, limit).map(readLine) : [];
      if (only === 'attention' || page.length === limit) return page;
      const numberBelow = below > 0 ? Number.MAX_SAFE_INTEGER : below - orderLeftAlone;
      return [...page, ...leftAlone.page(folderId, numberBelow, limit - page.length).map(lineLeftAlone)];
    },
    paths: (folderId, verdict) => selectPaths.all(folderId, verdict).map(({ path }) => String(path)),
    held: (folderId, mostSeconds) => selectHeld.all(folderId, mostSeconds).map(({ path }) => String(path)),
    leftAlone: (folderId, after, limit) => leftAlone.walk(folderId, after - orderLeftAlone, limit).map(lineLeftAlone),
    open: (folderId) => selectOpen.all(folderId).map(readLine),
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
