import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { Problem } from '../../../shared/errors.ts';
import type { HookFailure } from '../../../shared/schemas/hook.ts';
import { storedJson, storedProblem } from '../database/columns.ts';
import type { Job } from '../jobs/job.ts';

/** A file that the user's program left in the place of a result. */
export interface HookOutput {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** The results that the hook is still to run for, and those that it failed for, in the data folder's database. */
export interface HookRuns {
  /** Call in the transaction in which the job is done. Ignores a result of a watched folder that runs no hook. */
  add(job: Pick<Job, 'id' | 'source'>, owner: string): void;
  /** The job whose turn it is in this process. */
  next(owner: string): string | undefined;
  /** True if a run of any process is due. */
  hasDue(): boolean;
  /** Counts a start before it happens, and returns which it is: 1 for the first. Undefined if the run was discarded. */
  begin(jobId: string, owner: string): number | undefined;
  /** Without a problem the hook succeeded. `changedTo`: what it made of the result in its place, if it changed it. */
  finish(jobId: string, problem: Problem | null, changedTo?: HookOutput | null): void;
  /** Other processes with runs that are due. */
  otherOwners(owner: string): readonly string[];
  /** Takes over the runs of a dead process. */
  adopt(from: string, to: string): void;
  /** Removes all runs that are due. */
  discardDue(): void;
  /** Makes all failed runs of entries in history due. */
  repeatFailed(owner: string): void;
  /** The latest failures of entries in history, newest first. */
  failures(limit: number): readonly HookFailure[];
  /** Due in this process, and failed in history. */
  count(owner: string): { readonly due: number; readonly failed: number };
  /** Ids of the latest results in history, newest first. */
  latestResults(limit: number): readonly string[];
}

const storedText = storedJson(storedProblem);

export function createHookRuns(database: DatabaseSync): HookRuns {
  const inHistory =
    'EXISTS (SELECT 1 FROM history_entry JOIN job ON job.number = history_entry.job WHERE id = hook_run.job)';
  // A file that was changed while it was converted has another job by now; the ledger knows the first one, too.
  const insert = database.prepare(
    `INSERT INTO hook_run (job, owner, starts) SELECT :job, :owner, 0 WHERE NOT EXISTS (
       SELECT 1 FROM watch_folder WHERE json_extract(settings, '$.runsHook') = 0 AND (
         EXISTS (SELECT 1 FROM watched_file WHERE folder_id = id AND job_id = :job) OR
         EXISTS (SELECT 1 FROM watch_ledger WHERE folder_id = id AND sha256 = :sha256 AND job_id = :job)
       )
     ) ON CONFLICT (job) DO UPDATE SET owner = excluded.owner, starts = 0, problem = NULL`,
  );
  const selectNext = database.prepare(
    'SELECT job FROM hook_run WHERE owner = ? AND problem IS NULL ORDER BY number LIMIT 1',
  );
  const selectDue = database.prepare('SELECT 1 FROM hook_run WHERE problem IS NULL LIMIT 1');
  const updateStarts = database.prepare(
    'UPDATE hook_run SET starts = starts + 1 WHERE job = ? AND owner = ? AND problem IS NULL RETURNING starts',
  );
  const updateProblem = database.prepare('UPDATE hook_run SET problem = :problem WHERE job = :job');
  const remove = database.prepare('DELETE FROM hook_run WHERE job = ?');
  const replaceOutput = database.prepare(
    'INSERT OR REPLACE INTO hook_output (job, sha256, size_bytes) VALUES (:job, :sha256, :sizeBytes)',
  );
  const selectOwners = database.prepare('SELECT DISTINCT owner FROM hook_run WHERE problem IS NULL AND owner <> ?');
  const updateOwner = database.prepare('UPDATE hook_run SET owner = :to WHERE owner = :from AND problem IS NULL');
  const removeDue = database.prepare('DELETE FROM hook_run WHERE problem IS NULL');
  const updateFailed = database.prepare(
    `UPDATE hook_run SET problem = NULL, starts = 0, owner = ? WHERE problem IS NOT NULL AND ${inHistory}`,
  );
  const selectFailures = database.prepare(
    `SELECT job, problem FROM hook_run WHERE problem IS NOT NULL AND ${inHistory} ORDER BY number DESC LIMIT ?`,
  );
  // From indexes alone: the program may have failed for 100,000 results, and the page asks after each.
  const selectCounts = database.prepare(
    `SELECT (SELECT count(*) FROM hook_run WHERE problem IS NULL AND owner = ?) AS due,
       (SELECT count(*) FROM hook_run) - (SELECT count(*) FROM hook_run WHERE problem IS NULL) AS failed,
       (SELECT count(*) FROM history_removed) AS removed`,
  );
  const isRemoved = 'job.number = history_removed.job AND job.id = hook_run.job AND hook_run.problem IS NOT NULL';
  const selectFailedOfRemoved = database.prepare(
    `SELECT count(*) AS both FROM history_removed CROSS JOIN job CROSS JOIN hook_run WHERE ${isRemoved}`,
  );
  const selectRemovedOfFailed = database.prepare(
    `SELECT count(*) AS both FROM hook_run CROSS JOIN job CROSS JOIN history_removed WHERE ${isRemoved}`,
  );
  // CROSS JOIN: SQLite would look at all of history before it sorts.
  const selectLatest = database.prepare(
    `SELECT id FROM history_entry CROSS JOIN job ON job.number = history_entry.job
     WHERE state = 'done' AND output_path IS NOT NULL ORDER BY history_entry.number DESC LIMIT ?`,
  );

  return {
    add: ({ id, source }, owner) => void insert.run({ job: id, owner, sha256: source?.sha256 ?? null }),
    next(owner) {
      const job = selectNext.get(owner)?.['job'];
      return job === undefined ? undefined : String(job);
    },
    hasDue: () => selectDue.get() !== undefined,
    begin(job, owner) {
      const starts = updateStarts.get(job, owner)?.['starts'];
      return starts === undefined ? undefined : Number(starts);
    },
    finish(job, problem, changedTo = null) {
      // First, so that at no time the changed result looks like a recording.
      if (changedTo !== null) replaceOutput.run({ job, ...changedTo });
      if (problem === null) remove.run(job);
      else updateProblem.run({ job, problem: JSON.stringify(problem) });
    },
    otherOwners: (owner) => selectOwners.all(owner).map((row) => String(row['owner'])),
    adopt: (from, to) => void updateOwner.run({ from, to }),
    discardDue: () => void removeDue.run(),
    repeatFailed: (owner) => void updateFailed.run(owner),
    failures: (limit) =>
      selectFailures.all(limit).map(({ job, problem }) => ({ id: String(job), problem: v.parse(storedText, problem) })),
    count(owner) {
      const { due = 0, ...counts } = selectCounts.get(owner) ?? {};
      const [failed, removed] = [Number(counts['failed']), Number(counts['removed'])];
      if (failed === 0 || removed === 0) return { due: Number(due), failed };
      const select = removed < failed ? selectFailedOfRemoved : selectRemovedOfFailed;
      return { due: Number(due), failed: failed - Number(select.get()?.['both']) };
    },
    latestResults: (limit) => selectLatest.all(limit).map(({ id }) => String(id)),
  };
}
