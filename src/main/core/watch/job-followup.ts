import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Problem } from '../../../shared/errors.ts';
import { isTablePath, isTextPath } from '../../../shared/schemas/watch.ts';
import type { Clock } from '../clock.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { hasSource, type Job, wasNeverSent } from '../jobs/job.ts';
import { fileStampAt } from '../files/identity.ts';
import { checkRoot } from '../scanner/root-identity.ts';
import type { RecordWriter } from './record-writer.ts';
import type { FileRecord } from './file-record.ts';
import type { FileStore, RecordChange } from './file-store.ts';
import { createStashedSources, disposeOfSource, stashPathOf, type StashedSource } from './source-disposal.ts';
import { decideOnJobEnd } from './decisions.ts';
import type { FolderJobs } from './folder-jobs.ts';
import { type Ledger, settingsHash } from './ledger.ts';

/** Follows up the jobs of one folder: retries, quarantine, and disposal of the source. */
export interface JobFollowup {
  /** The job of a record changed: its own, or that of a duplicate. */
  onJobChange(record: FileRecord, job: Job): void;
  /** Retries the job of a record at this time. */
  scheduleRetry(path: string, at: number): void;
  /** Retries a job that the user wants, whatever it ended with, or starts another if the folder has other settings by now. */
  retryNow(record: FileRecord, job: Job): void;
  /** Retries a failed job by itself. */
  retryFailed(record: FileRecord, job: Job): void;
  /** The job was never sent: removes its content from the ledger, unless it is a row, and rechecks its duplicates. */
  releaseContent(job: Job): void;
  /** A file was deleted: rechecks its duplicates. */
  onFileDeleted(record: FileRecord): void;
  /** Moves or trashes a source as the folder's settings say, once its result is verified. */
  startDisposal(record: FileRecord, job: Job): void;
  /** The folder is there again: goes on with the sources that could not be moved meanwhile. */
  onRootBack(): void;
  tick(now: number): void;
  stop(): void;
}

/** Running disposals of sources, by job. Shared, because they outlive the folder's watcher. */
export type Disposals = Map<string, Promise<void>>;

interface Dependencies {
  readonly writer: RecordWriter;
  readonly database: DatabaseSync;
  readonly records: Pick<FileStore, 'listByJob'>;
  readonly ledger: Ledger;
  readonly disposals: Disposals;
  readonly writes: Pick<WriteGate, 'commit'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Sends a file to the gate again. */
  awaitStable(path: string): void;
  readonly jobs: Pick<FolderJobs, 'find' | 'retry' | 'hasConnection'>;
  trash(path: string): Promise<void>;
  onDefect(error: unknown): void;
}

const absent = { isPresent: false, stage: 'rest', problem: null } as const;
/** True if the job is a row of the table that the file is a copy of, but not the one that the copy refers to. */
const isCopyOfTable = ({ path, decision, jobId }: FileRecord, job: Job): boolean =>
  decision === 'same-sound' && isTablePath(path) && jobId !== job.id;

/** How often to look for sources that a crash or a lost network drive left where they were, or stashed. */
const movesPollMs = 60_000;

export function createJobFollowup(dependencies: Dependencies): JobFollowup {
  const { writer, database, records, ledger, disposals, writes, clock, awaitStable, jobs, trash, onDefect } =
    dependencies;
  const { id, upsert } = writer;
  const stashedSources = createStashedSources(database);
  const retries = new Map<string, number>();
  /** Sources that were to be moved or trashed while their disk was away, with their jobs. */
  const postponed = new Map<string, Job>();
  let nextMovesPollAt = 0;

  /** Updates a record unless another recording has taken over the name meanwhile. */
  const updateIfCurrent = (path: string, job: Job, change: RecordChange): Promise<void> =>
    writes.commit(() => {
      const record = writer.find(path);
      if (record?.decision === 'job' && record.jobId === job.id) upsert(path, change);
    });

  /** Like `updateIfCurrent` for a source that was moved or trashed; one that was touched meanwhile is at the gate. */
  async function recordDisposal(root: string, path: string, job: Job, change: RecordChange): Promise<void> {
    const isNameFree = (await fileStampAt(join(root, path))) === null;
    await writes.commit(() => {
      if (isNameFree && writer.find(path)?.jobId === job.id) upsert(path, { ...absent, decision: 'job', ...change });
      // The duplicates of the source are not disposed of.
      for (const other of listPending(job)) upsert(other.path, { disposalState: null, stage: 'rest' });
    });
  }

  const isPending = (record: FileRecord, jobId: string): boolean =>
    record.decision === 'job' && record.jobId === jobId && record.disposalState === 'pending';
  /** Records of a job whose source is present and not yet disposed of. */
  const listPending = (job: Job): readonly FileRecord[] =>
    records
      .listByJob(job.id)
      .filter((record) => record.folderId === id && record.isPresent && isPending(record, job.id));

  async function dispose(path: string, job: Job): Promise<void> {
    const { settings, identity } = writer.folder();
    // A move that was started is finished, even if the settings have changed.
    const afterwards = stashedSources.has(job.id) ? 'done' : settings.afterwards;
    if (!hasSource(job) || afterwards === 'keep') {
      await updateIfCurrent(path, job, { disposalState: null, stage: 'rest' });
      return;
    }
    try {
      const root = settings.path;
      const outcome = await disposeOfSource({
        job,
        path: join(root, path),
        root,
        afterwards,
        trash,
        onBeforeStash: () => writes.commit(() => stashedSources.add(id, { jobId: job.id, path })),
        onUnstashed: () => writes.commit(() => stashedSources.remove(job.id)),
      });
      if (outcome.kind === 'moved')
        await recordDisposal(root, path, job, { disposalState: 'moved', movedTo: outcome.to });
      else if (outcome.kind === 'trashed') await recordDisposal(root, path, job, { disposalState: 'trashed' });
      else if ((await checkRoot(root, identity)) === 'present') {
        await updateIfCurrent(path, job, absent);
        // It may have been renamed meanwhile; the new name could not start a disposal while this one ran.
        for (const other of listPending(job)) await dispose(other.path, job);
      } else postponed.set(path, job);
    } catch (error) {
      if ((await checkRoot(settings.path, identity)) !== 'present') {
        postponed.set(path, job);
        return;
      }
      onDefect(error);
      const problem: Problem = { code: 'watch/source-stays', facts: { name: basename(path) } };
      await updateIfCurrent(path, job, { disposalState: 'stays', problem, stage: 'attention' });
    }
  }

  function runOnce(jobId: string, work: () => Promise<void>): void {
    if (disposals.has(jobId)) return;
    const disposal = work()
      .catch(onDefect)
      .finally(() => disposals.delete(jobId));
    disposals.set(jobId, disposal);
  }

  const startDisposal = (path: string, job: Job) => runOnce(job.id, () => dispose(path, job));

  async function resumeMove({ jobId, path }: StashedSource): Promise<void> {
    const { settings, identity } = writer.folder();
    if ((await checkRoot(settings.path, identity)) !== 'present') return;
    const job = jobs.find(jobId);
    const isHidden = (await fileStampAt(stashPathOf(jobId, join(settings.path, path)))) !== null;
    if (!isHidden) await writes.commit(() => stashedSources.remove(jobId));
    const record = writer.find(path);
    if (job && (isHidden || (record && isPending(record, jobId)))) await dispose(path, job);
  }

  /** Sends the file to the gate again; an absent one is checked when it is back. */
  function recheckFile({ path, isPresent, sha256 }: FileRecord): void {
    const stage = isPresent ? 'open' : 'rest';
    // Of a table that was corrected, the other rows are kept.
    const content = isTablePath(path) ? sha256 : null;
    writer.recheck(path, { isPresent, stage, jobId: null, sha256: content, duplicateOf: null });
    if (isPresent) awaitStable(path);
  }

  /** Nothing was paid for a job that was never sent: frees its content and rechecks its duplicates. */
  function releaseContent(job: Job): void {
    // Only files that were hashed are in the ledger. Rows of tables stay in it, or they would be lost unnoticed.
    if (job.source?.sha256 !== undefined && !isTablePath(job.source.path)) ledger.forget(id, job.source.sha256, job.id);
    for (const record of records.listByJob(job.id)) {
      if (record.folderId === id && (record.decision === 'same-sound' || record.decision === 'other-settings'))
        recheckFile(record);
    }
  }

  /** The next row of a table that is not settled; undefined outside of tables and if all are. */
  function nextRow({ path, sha256 }: FileRecord, job: Job): Job | undefined {
    if (!isTablePath(path) || sha256 === null) return undefined;
    const [next] = ledger.openRows(id, sha256, job.id);
    return next === undefined ? undefined : jobs.find(next);
  }

  /** Retries a job and, of a table, the other rows that ended in the same way. */
  function retryAll({ path, sha256 }: FileRecord, { id: jobId, state }: Job): void {
    const rows = isTablePath(path) && sha256 !== null ? ledger.rowsOf(id, sha256, jobId) : [];
    const same = rows.filter((row) => jobs.find(row)?.state === state);
    for (const row of new Set([jobId, ...same])) jobs.retry(row);
  }

  /** True if the job was submitted with other settings than the folder has now. */
  function hasOtherSettings({ path, sha256 }: FileRecord, job: Job): boolean {
    const { settings } = writer.folder();
    if (sha256 === null || (isTextPath(path) && settings.speech === null)) return false;
    const entry = ledger.find(id, sha256).find(({ jobId }) => jobId === job.id);
    if (!entry || entry.settingsHash === settingsHash(path, settings)) return false;
    // Rows of tables have voices of their own.
    if (isTablePath(path)) return !ledger.settingsHashes(id, settings).includes(entry.settingsHash);
    const conversion = { ...settings.conversion, voiceId: job.voice.id };
    return !settings.hasSubfolderVoices || entry.settingsHash !== settingsHash(path, { ...settings, conversion });
  }

  /** True if the folder has other settings by now, and nothing that was paid for is left to fetch. */
  const isOutdated = (record: FileRecord, job: Job): boolean =>
    job.state === 'failed' && job.audioUrl === null && job.finished === null && hasOtherSettings(record, job);

  /** Retries a failed job by itself. What became of it otherwise, only the user may repeat. */
  function retryFailed(record: FileRecord, job: Job): void {
    if (job.state !== 'failed') {
      followJob(upsert(record.path, { nextTryAt: null }), job);
      return;
    }
    const isTable = isTablePath(record.path);
    const isSpoken = !isTextPath(record.path) || writer.folder().settings.speech !== null;
    if (isTable && !isSpoken) {
      // Its other rows are done, so it would count as done if it was looked at again.
      upsert(record.path, { stage: 'attention', nextTryAt: null });
      return;
    }
    // The rows of a table that are spoken have the settings of before, and so have the others then.
    if (isSpoken && (isTable || !isOutdated(record, job))) {
      // What was given up begins anew.
      const failures = record.stage === 'attention' ? 0 : record.failures;
      retryAll(upsert(record.path, { stage: 'open', failures, nextTryAt: null }), job);
      return;
    }
    if (record.sha256 !== null) ledger.forget(id, record.sha256, job.id);
    recheckFile(record);
  }

  function followJob(record: FileRecord, job: Job): void {
    const { path } = record;
    if (record.decision !== 'job') {
      // The file is at the gate again, or it is a duplicate.
      if (!wasNeverSent(job)) return;
      releaseContent(job);
      if (isCopyOfTable(record, job)) recheckFile(record);
      return;
    }
    const decision = decideOnJobEnd(job, record);
    switch (decision.kind) {
      case 'nothing':
        return;
      case 'open':
        retries.delete(path);
        upsert(path, { stage: 'open', nextTryAt: null });
        return;
      case 'done':
      case 'cancelled': {
        const next = nextRow(record, job);
        if (next) followJob(upsert(path, { jobId: next.id, failures: 0 }), next);
        else if (decision.kind === 'cancelled') upsert(path, { stage: 'rest' });
        else if (record.disposalState === 'pending') startDisposal(path, job);
        else {
          const stage = isTablePath(path) && record.problem ? 'attention' : 'rest';
          // The settings were changed while it was in the queue.
          const isOffered = stage === 'rest' && hasOtherSettings(record, job);
          upsert(path, { stage, failures: 0, ...(isOffered && { decision: 'other-settings' }) });
        }
        return;
      }
      case 'uncertain':
        upsert(path, { stage: 'attention' });
        return;
      case 'quarantine':
        upsert(path, { stage: 'attention', failures: decision.failures });
        return;
      case 'retry': {
        const at = clock.now() + decision.afterMs;
        retries.set(path, at);
        upsert(path, { failures: decision.failures, nextTryAt: at });
        return;
      }
      case 'recheck':
        releaseContent(job);
        recheckFile(record);
    }
  }

  return {
    onJobChange: followJob,
    scheduleRetry: (path, at) => void retries.set(path, at),
    retryNow(record, job) {
      const { path } = record;
      retries.delete(path);
      const isLost = job.finished === null && !jobs.hasConnection(job);
      if (isOutdated(record, job) || isLost) {
        writer.recheck(path, { isForced: true });
        awaitStable(path);
        return;
      }
      retryAll(upsert(path, { stage: 'open', failures: 0, nextTryAt: null }), job);
    },
    retryFailed,
    releaseContent,
    onFileDeleted({ path, jobId }) {
      if (jobId === null) return;
      const copies = records
        .listByJob(jobId)
        .filter((record) => record.folderId === id && record.decision === 'same-sound');
      for (const copy of copies) if (copy.duplicateOf === path && copy.isPresent) recheckFile(copy);
    },
    startDisposal: ({ path }, job) => startDisposal(path, job),
    onRootBack: () => void (nextMovesPollAt = 0),
    tick(now) {
      if (now >= nextMovesPollAt) {
        nextMovesPollAt = now + movesPollMs;
        for (const move of stashedSources.listByFolder(id)) runOnce(move.jobId, () => resumeMove(move));
        const back = [...postponed];
        postponed.clear();
        for (const [path, job] of back) {
          const record = writer.find(path);
          if (record && isPending(record, job.id)) startDisposal(path, job);
        }
      }
      for (const [path, at] of retries) {
        if (at > now) continue;
        retries.delete(path);
        const record = writer.find(path);
        if (record?.decision !== 'job' || record.nextTryAt === null || record.jobId === null) continue;
        const job = jobs.find(record.jobId);
        if (job) retryFailed(record, job);
      }
    },
    stop() {
      retries.clear();
      postponed.clear();
      nextMovesPollAt = 0;
    },
  };
}
