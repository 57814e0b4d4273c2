import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError, isPassingProblem, type Problem } from '../../../shared/errors.ts';
import type { SpeechJobSettings } from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { isTablePath } from '../../../shared/schemas/watch.ts';
import { isWithinHours } from '../../../shared/text/hours.ts';
import { type Clock, startOfDay } from '../clock.ts';
import { transaction, relaxedCommit } from '../database/sqlite.ts';
import { isWriteBlocked } from '../database/write-gate.ts';
import { hasEnded, type Job, type JobSource, wasNeverSent } from '../jobs/job.ts';
import type { OwnResults } from '../jobs/own-results.ts';
import type { Signature } from '../files/identity.ts';
import type { StableFile } from '../scanner/scanner.ts';
import type { BatchWriter } from './batch-writer.ts';
import { decideOnStable, lengthOf } from './decisions.ts';
import type { FileRecord } from './file-record.ts';
import type { RecordChange } from './file-store.ts';
import type { WatchFolder } from './folder-store.ts';
import type { JobFollowup } from './job-followup.ts';
import type { PreparedText, WatchedRow } from './prepare-text.ts';
import { type Ledger, type LedgerEntry, settingsHash } from './ledger.ts';

/** Handles files that left the stability gate. */
interface FileIntake {
  /** The file is complete: submits its jobs, or records why not. */
  onStable(file: StableFile, prepared: PreparedFile): void;
  /** The file cannot be used as it is. */
  onRejected(path: string, signature: Signature, problem: Problem): void;
}

/** What was found out about a complete file. */
export type PreparedFile =
  | {
      /** The voice that its subfolder is named after; null for that of the folder. */
      readonly voice: Voice | null;
      /** Null for a recording. */
      readonly text: PreparedText | null;
    }
  /** Nothing of it can be submitted. */
  | { readonly problem: Problem };

interface Dependencies {
  readonly writer: BatchWriter;
  readonly database: DatabaseSync;
  readonly ledger: Ledger;
  readonly ownResults: Pick<OwnResults, 'hasContent'>;
  readonly jobs: Pick<JobFollowup, 'releaseContent' | 'startDisposal' | 'onJobChange'>;
  readonly clock: Pick<Clock, 'now'>;
  job(id: string): Job | undefined;
  /** Creates a job with the folder's settings. Throws `connection/not-found`. */
  submitRecording(folder: WatchFolder, source: JobSource): Job;
  /** Like `submitRecording`, for a text with the settings that were prepared for it. */
  submitText(folder: WatchFolder, source: JobSource, text: string, settings: SpeechJobSettings): Job;
  /** Returns the ids of the jobs, in the order of the rows. */
  submitRows(rows: readonly WatchedRow[], source: JobSource): readonly string[];
  /** The file of these jobs was saved again: those that have not ended are compared with it as it is now. */
  renewSource(ids: readonly string[], source: JobSource): void;
  onDefect(error: unknown): void;
}

export const withVoice = (folder: WatchFolder, voice: Voice): WatchFolder => ({
  ...folder,
  voice,
  settings: { ...folder.settings, conversion: { ...folder.settings.conversion, voiceId: voice.id } },
});

/** Files that are not at the gate, or have already passed it, are not decided again. */
const isAtGate = (record: FileRecord | undefined): record is FileRecord =>
  record?.decision === 'waiting' || record?.decision === 'budget';

function sourceOf(folder: string, path: string, signature: Signature, sha256: string): JobSource {
  const subfolder = dirname(path);
  const { device, inode, sizeBytes, modifiedNs } = signature;
  return {
    path: join(folder, path),
    subfolder: subfolder === '.' ? '' : subfolder,
    snapshot: { device, inode, sizeBytes, modifiedNs },
    sha256,
  };
}

type PreparedTable = Extract<PreparedText, { kind: 'table' }>;

export function createFileIntake(dependencies: Dependencies): FileIntake {
  const { writer, database, ledger, ownResults, jobs, clock, onDefect } = dependencies;
  const { id, upsert } = writer;

  /** Throws why a text cannot be spoken. */
  function submit(
    { path, signature, sha256, durationSeconds, text }: StableFile,
    folder: WatchFolder,
    prepared: Exclude<PreparedText, { kind: 'table' }> | null,
  ): void {
    const { settings } = folder;
    if (prepared?.kind === 'refused') throw new AppError(prepared.problem.code, path, prepared.problem);
    const disposalState = settings.afterwards === 'keep' ? null : ('pending' as const);
    // Atomic: a job without its record would be paid for again, a record without its job would never be done.
    relaxedCommit(database, () =>
      transaction(database, () => {
        const source = sourceOf(settings.path, path, signature, sha256);
        const job = prepared
          ? dependencies.submitText(folder, source, text ?? '', prepared.settings)
          : dependencies.submitRecording(folder, source);
        ledger.add(id, {
          sha256,
          settingsHash: settingsHash(path, settings),
          jobId: job.id,
          path,
          durationSeconds: durationSeconds ?? 0,
        });
        upsert(path, { decision: 'job', stage: 'open', jobId: job.id, failures: 0, isForced: false, disposalState });
      }),
    );
  }

  const isUnsent = (jobId: string): boolean => {
    const job = dependencies.job(jobId);
    return job !== undefined && wasNeverSent(job);
  };

  /** Submits the rows of a table. Its record follows one job after the other, until all rows are done. */
  function submitTable(file: StableFile, folder: WatchFolder, { rows, problem }: PreparedTable): void {
    const { path, signature, sha256 } = file;
    const { settings } = folder;
    const hash = settingsHash(path, settings);
    const source = sourceOf(settings.path, path, signature, sha256);
    // With bad rows the table stays, so that the user can correct it.
    const disposalState = settings.afterwards === 'keep' || problem !== null ? null : ('pending' as const);
    relaxedCommit(database, () =>
      transaction(database, () => {
        for (const { jobId } of ledger.find(id, sha256)) if (isUnsent(jobId)) ledger.forget(id, sha256, jobId);
        // A row that was never sent is made anew, also if it failed so while the table was prepared.
        const known = rows.map(({ jobId }) => (jobId === null || isUnsent(jobId) ? null : jobId));
        dependencies.renewSource(
          known.filter((jobId) => jobId !== null),
          source,
        );
        const created = dependencies
          .submitRows(
            rows.filter((_row, k) => known[k] === null),
            source,
          )
          .values();
        let last: string | undefined;
        for (const [k, { seconds }] of rows.entries()) {
          const before = known[k] ?? null;
          // With the settings of before.
          const isKept = before !== null && dependencies.job(before)?.state === 'done';
          if (isKept && ledger.has(id, sha256, before)) continue;
          const jobId = before ?? created.next().value ?? '';
          ledger.add(id, { sha256, settingsHash: hash, jobId, path, durationSeconds: before === null ? seconds : 0 });
          last = jobId;
        }
        last ??= known.at(-1) ?? undefined;
        if (last === undefined) {
          upsert(path, { decision: 'refused', problem, stage: 'attention', isForced: false });
          return;
        }
        const [jobId = last] = ledger.openRows(id, sha256, last);
        upsert(path, { decision: 'job', stage: 'open', jobId, failures: 0, isForced: false, disposalState, problem });
      }),
    );
    // Its rows may all have been spoken before.
    const record = writer.find(path);
    const job = record?.jobId ? dependencies.job(record.jobId) : undefined;
    if (record && job && hasEnded(job)) jobs.onJobChange(record, job);
  }

  /**
   * Conversions of a content, done or pending. None for a table of which some rows were never sent. Jobs that were never sent may
   * not have been reported yet.
   */
  function listSubmissions({ path, sha256 }: StableFile, hash: string): readonly LedgerEntry[] {
    const entries = Map.groupBy(ledger.find(id, sha256), ({ jobId }) => {
      const job = dependencies.job(jobId);
      if (!job || !wasNeverSent(job)) return 'sent';
      jobs.releaseContent(job);
      return 'unsent';
    });
    const isPartial = isTablePath(path) && entries.get('unsent')?.some(({ settingsHash: one }) => one === hash);
    return isPartial ? [] : (entries.get('sent') ?? []);
  }

  /** The converted file was renamed: continues under its new name, including a pending disposal of the source. */
  function adopt(path: string, entry: LedgerEntry, known: Pick<FileRecord, 'sha256'> & RecordChange): void {
    const { jobId, path: former } = entry;
    const { afterwards } = writer.folder().settings;
    const job = dependencies.job(jobId);
    const before = writer.find(former);
    const isOwed =
      before?.jobId === jobId &&
      (before.disposalState === 'pending' || before.disposalState === 'stays') &&
      job?.state === 'done';
    const isOpen = job !== undefined && !hasEnded(job);
    const disposalState = (isOpen || isOwed) && afterwards !== 'keep' ? 'pending' : null;
    const needsAttention = job?.state === 'failed' || job?.state === 'uncertain';
    const stage = isOpen || disposalState !== null ? 'open' : needsAttention ? 'attention' : 'rest';
    if (former !== path && isOwed) upsert(former, { disposalState: null, problem: null, stage: 'rest' });
    ledger.rename(id, entry.sha256, path);
    const record = upsert(path, { ...known, decision: 'job', jobId, stage, disposalState });
    if (job && isOwed && disposalState !== null) jobs.startDisposal(record, job);
  }

  function decide(
    record: FileRecord,
    file: StableFile,
    folder: WatchFolder,
    hasNamedVoice: boolean,
    text: PreparedText | null,
  ): void {
    const { path, sha256, signature, durationSeconds } = file;
    const { settings } = folder;
    const hash = settingsHash(path, settings);
    const decision = decideOnStable(file, basename(path), {
      submitted: listSubmissions(file, hash),
      settingsHash: hash,
      isOwnOutput: ownResults.hasContent(sha256),
      isForced: record.isForced,
      hasNamedVoice,
      limitMinutes: settings.dailyMinutes,
      // A sum over the day's files, so it is computed only if there is a limit.
      usedMinutes: settings.dailyMinutes === null ? 0 : ledger.minutesSince(id, startOfDay(clock.now())),
      isWithinHours: settings.hours === null || isWithinHours(settings.hours, new Date(clock.now())),
      hasFile(other) {
        const otherRecord = writer.find(other);
        return otherRecord?.isPresent === true && otherRecord.sha256 === sha256;
      },
    });
    const known = { sha256, signature, durationSeconds } satisfies RecordChange;
    switch (decision.kind) {
      case 'job':
        upsert(path, known);
        if (text?.kind === 'table') submitTable(file, folder, text);
        else submit(file, folder, text);
        return;
      case 'converted':
        {
          const { entry } = decision;
          const table = text?.kind === 'table' ? text : null;
          const openRows = table ? ledger.openRows(id, sha256, entry.jobId) : [];
          const [open = entry.jobId] = openRows;
          dependencies.renewSource(openRows, sourceOf(settings.path, path, signature, sha256));
          adopt(path, { ...entry, jobId: open }, { ...known, problem: table?.problem ?? null });
        }
        return;
      case 'same-sound':
      case 'other-settings': {
        const { path: duplicateOf, jobId } = decision.entry;
        upsert(path, { ...known, decision: decision.kind, duplicateOf, jobId, stage: 'rest' });
        return;
      }
      case 'own-output':
        upsert(path, { ...known, decision: 'own-output', stage: 'rest' });
        return;
      case 'budget':
      case 'hours':
        upsert(path, { ...known, decision: 'budget', stage: 'open' });
        return;
      case 'refused':
        upsert(path, {
          ...known,
          decision: 'refused',
          problem: decision.problem,
          stage: decision.needsUser ? 'attention' : 'rest',
        });
    }
  }

  return {
    onStable(found, prepared) {
      const record = writer.find(found.path);
      const folder = writer.folder();
      const { settings } = folder;
      if (!isAtGate(record)) return;
      if (found.text !== null && settings.speech === null) {
        // Texts were switched off while this one was at the gate; it is there again once they are switched on.
        upsert(found.path, { isForced: false, stage: 'rest' });
        return;
      }
      const file = { ...found, durationSeconds: lengthOf(found.path, found.durationSeconds, settings) };
      if ('problem' in prepared) {
        const { problem } = prepared;
        // The user's request still holds once that has passed.
        const isForced = record.isForced && isPassingProblem(problem);
        upsert(file.path, { decision: 'refused', problem, stage: 'attention', isForced });
        return;
      }
      const { voice, text } = prepared;
      try {
        decide(record, file, voice ? withVoice(folder, voice) : folder, voice !== null, text);
      } catch (error) {
        // The write queue retries it once the database is writable.
        if (isWriteBlocked(error)) throw error;
        // For example a removed connection: the file shows the problem and waits for the user.
        const problem: Problem = error instanceof AppError ? error.problem : { code: 'internal' };
        if (problem.code === 'internal') onDefect(error);
        const stage = problem.code === 'input/text-empty' ? 'rest' : 'attention';
        upsert(file.path, { decision: 'refused', problem, stage, isForced: false });
      }
    },
    onRejected(path, signature, problem) {
      const record = writer.find(path);
      if (!isAtGate(record)) return;
      // The file may be complete: a disk or a permission is at fault, which the user can fix.
      const stage = problem.code === 'input/unreadable' ? 'attention' : 'rest';
      upsert(path, { decision: 'refused', problem, signature, stage, isForced: false });
    },
  };
}
