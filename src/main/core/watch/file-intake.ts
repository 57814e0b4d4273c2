import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError, isPassingProblem, type Problem } from '../../../shared/errors.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { isTablePath } from '../../../shared/schemas/watch.ts';
import { isWithinHours } from '../../../shared/text/hours.ts';
import { type Clock, startOfDay } from '../clock.ts';
import { afterCommit, transaction, relaxedCommit } from '../database/sqlite.ts';
import { isWriteBlocked } from '../database/write-gate.ts';
import { hasEnded, type JobSource, wasNeverSent } from '../jobs/job.ts';
import type { OwnResults } from '../jobs/own-results.ts';
import type { Signature } from '../files/identity.ts';
import type { StableFile } from '../scanner/scanner.ts';
import type { RecordWriter } from './record-writer.ts';
import { decideOnStable, lengthOf } from './decisions.ts';
import { type FileRecord, isAtGate } from './file-record.ts';
import type { RecordChange } from './file-store.ts';
import type { FolderJobs } from './folder-jobs.ts';
import type { WatchFolder } from './folder-store.ts';
import type { JobFollowup } from './job-followup.ts';
import type { PreparedText } from './prepare-text.ts';
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
  readonly writer: RecordWriter;
  readonly database: DatabaseSync;
  readonly ledger: Ledger;
  readonly ownResults: Pick<OwnResults, 'hasContent' | 'isAwaitingHook'>;
  readonly jobs: FolderJobs;
  readonly followup: Pick<JobFollowup, 'releaseContent' | 'startDisposal' | 'onJobChange'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Does the rest of what `onStable` began, in turns, before anything else is decided. Left out if the folder is no longer watched. */
  continueWith(steps: readonly (() => void)[]): void;
  onDefect(error: unknown): void;
}

export const withVoice = (folder: WatchFolder, voice: Voice): WatchFolder => ({
  ...folder,
  voice,
  settings: { ...folder.settings, conversion: { ...folder.settings.conversion, voiceId: voice.id } },
});

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

/** Writing these takes a few milliseconds. */
const rowsPerTurn = 10;

type PreparedTable = Extract<PreparedText, { kind: 'table' }>;

export function createFileIntake(dependencies: Dependencies): FileIntake {
  const { writer, database, ledger, ownResults, jobs, followup, clock, continueWith, onDefect } = dependencies;
  const { id, upsert } = writer;

  /** Throws the reason if a text cannot be spoken. */
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
          ? jobs.submitText(folder, source, text ?? '', prepared.settings)
          : jobs.submitRecording(folder, source);
        ledger.add(id, {
          sha256,
          settingsHash: settingsHash(path, settings),
          jobId: job.id,
          path,
          isUnfinished: false,
          durationSeconds: durationSeconds ?? 0,
        });
        upsert(path, { decision: 'job', stage: 'open', jobId: job.id, failures: 0, isForced: false, disposalState });
      }),
    );
  }

  /** For example a removed connection: the file shows the problem and waits for the user. */
  function refuse(path: string, error: unknown): void {
    // The write queue retries it once the database is writable.
    if (isWriteBlocked(error)) throw error;
    const problem: Problem = error instanceof AppError ? error.problem : { code: 'internal' };
    if (problem.code === 'internal') onDefect(error);
    const stage = problem.code === 'input/text-empty' ? 'rest' : 'attention';
    upsert(path, { decision: 'refused', problem, stage, isForced: false });
  }

  /**
   * Submits the rows of a table, a few at a time. Its record stays at the gate until all are: after a kill the table is prepared again,
   * which finds the rows that are there. Then the record follows one job after the other, until all rows are done.
   */
  function submitTable(file: StableFile, folder: WatchFolder, { rows, problem }: PreparedTable): void {
    const { path, signature, sha256 } = file;
    const { settings } = folder;
    const hash = settingsHash(path, settings);
    const source = sourceOf(settings.path, path, signature, sha256);
    // With bad rows the table stays, so that the user can correct it.
    const disposalState = settings.afterwards === 'keep' || problem !== null ? null : ('pending' as const);
    let isRefused = false;
    let last: string | undefined;

    /** Returns the last row that is not done with other settings. */
    function submitSome(some: PreparedTable['rows']): string | undefined {
      // A row that was never sent is made anew, also if it failed so while the table was prepared.
      const known = some.map(({ jobId }) => (jobId === null ? undefined : jobs.find(jobId)));
      const kept = known.map((job) => (job && !wasNeverSent(job) ? job : undefined));
      for (const [k, job] of known.entries()) if (job && !kept[k]) ledger.forget(id, sha256, job.id);
      jobs.renewSource(
        kept.flatMap((job) => job?.id ?? []),
        source,
      );
      // A command that was killed while it submitted the table may have begun them.
      const open = kept.flatMap((job) => (job && !hasEnded(job) ? job.id : []));
      if (open.length > 0) afterCommit(database, () => jobs.adopt(open));
      const created = jobs
        .submitRows(
          some.filter((_row, k) => !kept[k]),
          source,
        )
        .values();
      let latest: string | undefined;
      for (const [k, { seconds }] of some.entries()) {
        const before = kept[k];
        // With the settings of before.
        if (before?.state === 'done' && ledger.has(id, sha256, before.id)) continue;
        const jobId = before?.id ?? created.next().value ?? '';
        const durationSeconds = before ? 0 : seconds;
        ledger.add(id, { sha256, settingsHash: hash, jobId, path, isUnfinished: true, durationSeconds });
        latest = jobId;
      }
      return latest;
    }

    function finish(): void {
      ledger.finish(id, sha256, hash);
      const followed = last ?? rows.at(-1)?.jobId;
      if (followed === undefined || followed === null) {
        upsert(path, { sha256, decision: 'refused', problem, stage: 'attention', isForced: false });
        return;
      }
      const [jobId = followed] = ledger.openRows(id, sha256, followed);
      upsert(path, {
        ...{ sha256, decision: 'job', stage: 'open', jobId },
        failures: 0,
        isForced: false,
        disposalState,
        problem,
      });
    }

    const step = (work: () => void) => () => {
      if (isRefused) return;
      try {
        relaxedCommit(database, () => transaction(database, work));
      } catch (error) {
        refuse(path, error);
        isRefused = true;
      }
    };
    const starts = Array.from({ length: Math.ceil(rows.length / rowsPerTurn) }, (_, k) => k * rowsPerTurn);
    continueWith([
      step(() => ledger.unsent(id, sha256).forEach((jobId) => ledger.forget(id, sha256, jobId))),
      ...starts.map((start) =>
        step(() => {
          const latest = submitSome(rows.slice(start, start + rowsPerTurn));
          last = latest ?? last;
        }),
      ),
      step(finish),
      () => {
        // Its rows may all have been spoken before.
        const record = writer.find(path);
        const job = record?.decision === 'job' && record.jobId ? jobs.find(record.jobId) : undefined;
        if (record && job && hasEnded(job)) followup.onJobChange(record, job);
      },
    ]);
  }

  /**
   * Conversions of a content, done or pending. None for a table of which some rows were never sent, or are still to be submitted. Jobs
   * that were never sent may not have been reported yet.
   */
  function listSubmissions({ path, sha256 }: StableFile, hash: string): readonly LedgerEntry[] {
    const entries = ledger.find(id, sha256);
    const unsent = new Set(ledger.unsent(id, sha256));
    for (const jobId of unsent) {
      const job = jobs.find(jobId);
      if (job) followup.releaseContent(job);
    }
    const isPartial =
      isTablePath(path) &&
      entries.some((entry) => entry.isUnfinished || (entry.settingsHash === hash && unsent.has(entry.jobId)));
    return isPartial ? [] : entries.filter(({ jobId }) => !unsent.has(jobId));
  }

  /** The converted file was renamed: continues under its new name, including a pending disposal of the source. */
  function adopt(path: string, entry: LedgerEntry, known: Pick<FileRecord, 'sha256'> & RecordChange): void {
    const { jobId, path: former } = entry;
    const { afterwards } = writer.folder().settings;
    const job = jobs.find(jobId);
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
    if (job && isOwed && disposalState !== null) followup.startDisposal(record, job);
  }

  /** The day's minutes without the rows of this table that were submitted before it was interrupted: the whole is counted. */
  function minutesOfOthers({ path, sha256 }: StableFile, hash: string): number {
    const since = startOfDay(clock.now());
    const all = ledger.minutesSince(id, since);
    return isTablePath(path) ? all - ledger.rowMinutesSince(id, since, sha256, hash) : all;
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
      isOwnOutput: ownResults.hasContent(sha256) || ownResults.isAwaitingHook(join(settings.path, path)),
      isForced: record.isForced,
      hasNamedVoice,
      limitMinutes: settings.dailyMinutes,
      usedMinutes: settings.dailyMinutes === null ? 0 : minutesOfOthers(file, hash),
      isWithinHours: settings.hours === null || isWithinHours(settings.hours, new Date(clock.now())),
      hasFile(other) {
        const otherRecord = writer.find(other);
        return otherRecord?.isPresent === true && otherRecord.sha256 === sha256;
      },
    });
    const seen = { signature, durationSeconds } satisfies RecordChange;
    const known = { ...seen, sha256 } satisfies RecordChange;
    // Until all of its rows are submitted, the record of a table has the content whose rows it keeps.
    const waiting = text?.kind === 'table' && record.sha256 !== null ? seen : known;
    switch (decision.kind) {
      case 'job':
        upsert(path, waiting);
        if (text?.kind === 'table') submitTable(file, folder, text);
        else submit(file, folder, text);
        return;
      case 'converted':
        {
          const { entry } = decision;
          const table = text?.kind === 'table' ? text : null;
          const openRows = table ? ledger.openRows(id, sha256, entry.jobId) : [];
          const [open = entry.jobId] = openRows;
          jobs.renewSource(openRows, sourceOf(settings.path, path, signature, sha256));
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
        upsert(path, { ...waiting, decision: 'budget', stage: 'open' });
        return;
      case 'refused':
        upsert(path, {
          ...waiting,
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
      if (!record || !isAtGate(record)) return;
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
        refuse(file.path, error);
      }
    },
    onRejected(path, signature, problem) {
      const record = writer.find(path);
      if (!record || !isAtGate(record)) return;
      // The file may be complete: a disk or a permission is at fault, which the user can fix.
      const stage = problem.code === 'input/unreadable' ? 'attention' : 'rest';
      upsert(path, { decision: 'refused', problem, signature, stage, isForced: false });
    },
  };
}
