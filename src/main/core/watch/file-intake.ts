import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError, type Problem } from '../../../shared/errors.ts';
import { type Clock, startOfDay } from '../clock.ts';
import { transaction, relaxedCommit } from '../database/sqlite.ts';
import { isWriteBlocked } from '../database/write-gate.ts';
import { hasEnded, type Job, type JobSource } from '../jobs/job.ts';
import type { ReadyFile, Signature } from '../scanner/scanner.ts';
import type { BatchWriter } from './batch-writer.ts';
import { wasNeverSent, decideOnStable } from './decisions.ts';
import type { FileRecord } from './file-record.ts';
import type { FileStore, RecordChange } from './file-store.ts';
import type { WatchFolder } from './folder-store.ts';
import type { JobFollowup } from './job-followup.ts';
import { type Ledger, type LedgerEntry, settingsHash } from './ledger.ts';

/** What comes of files that left the gate. */
export interface FileIntake {
  /** It is whole: a job, or a reason why not. */
  ready(file: ReadyFile): void;
  /** It cannot be taken as it is. */
  refused(path: string, signature: Signature, problem: Problem): void;
}

interface Dependencies {
  readonly desk: BatchWriter;
  readonly database: DatabaseSync;
  readonly ledger: Ledger;
  readonly jobs: Pick<JobFollowup, 'giveBack' | 'endSource'>;
  readonly clock: Pick<Clock, 'now'>;
  job(id: string): Job | undefined;
  /** Makes a job of a recording by the folder's settings. Throws `connection/not-found`. */
  addJob(folder: WatchFolder, source: JobSource): Job;
  onDefect(error: unknown): void;
}

/** A file that nobody sent to the gate any more, or that has passed it, is not judged again. */
const isAtGate = (line: FileRecord | undefined): line is FileRecord =>
  line?.verdict === 'waiting' || line?.verdict === 'budget';

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

export function createFileIntake(dependencies: Dependencies): FileIntake {
  const { desk, database, ledger, jobs, clock, onDefect } = dependencies;
  const { id, put } = desk;

  function takeUp({ path, signature, sha256, durationSeconds }: ReadyFile): void {
    const folder = desk.folder();
    const { settings } = folder;
    const sourceEnd = settings.afterwards === 'keep' ? null : ('pending' as const);
    // Together or not at all: a job without its line would be paid for again, a line without its job never done.
    relaxedCommit(database, () =>
      transaction(database, () => {
        const job = dependencies.addJob(folder, sourceOf(settings.path, path, signature, sha256));
        ledger.take(id, {
          sha256,
          settingsHash: settingsHash(settings),
          jobId: job.id,
          path,
          durationSeconds: durationSeconds ?? 0,
        });
        put(path, { verdict: 'job', standing: 'open', jobId: job.id, failures: 0, isForced: false, sourceEnd });
      }),
    );
  }

  /** What was converted with a content, or will be. Of a job that could not be sent nobody may have heard. */
  const taken = (sha256: string): readonly LedgerEntry[] =>
    ledger.find(id, sha256).filter(({ jobId }) => {
      const job = dependencies.job(jobId);
      if (!job || !wasNeverSent(job)) return true;
      jobs.giveBack(job);
      return false;
    });

  /** A sound has another name now, and what is still to be done with the original is done under that one. */
  function takeOver(path: string, entry: LedgerEntry, known: Pick<FileRecord, 'sha256'> & RecordChange): void {
    const { jobId, path: former } = entry;
    const { afterwards } = desk.folder().settings;
    const job = dependencies.job(jobId);
    const before = desk.get(former);
    const isOwed =
      before?.jobId === jobId &&
      (before.sourceEnd === 'pending' || before.sourceEnd === 'stays') &&
      job?.state === 'done';
    const isOpen = job !== undefined && !hasEnded(job);
    const sourceEnd = (isOpen || isOwed) && afterwards !== 'keep' ? 'pending' : null;
    const needsPerson = job?.state === 'failed' || job?.state === 'uncertain';
    const standing = isOpen || sourceEnd !== null ? 'open' : needsPerson ? 'attention' : 'rest';
    if (former !== path && isOwed) put(former, { sourceEnd: null, problem: null, standing: 'rest' });
    ledger.rename(id, entry.sha256, path);
    const line = put(path, { ...known, verdict: 'job', jobId, standing, sourceEnd });
    if (job && isOwed && sourceEnd !== null) jobs.endSource(line, job);
  }

  function judge(line: FileRecord, file: ReadyFile): void {
    const { path, sha256, signature, durationSeconds } = file;
    const { settings } = desk.folder();
    const judgement = decideOnStable(file, basename(path), {
      taken: taken(sha256),
      settingsHash: settingsHash(settings),
      isOwnOutput: ledger.isOwnOutput(sha256),
      isForced: line.isForced,
      limitMinutes: settings.dailyMinutes,
      // A sum over the day's files, for each of them: only where somebody set a limit to it.
      usedMinutes: settings.dailyMinutes === null ? 0 : ledger.minutesSince(id, startOfDay(clock.now())),
      hasFile(other) {
        const there = desk.get(other);
        return there?.isThere === true && there.sha256 === sha256;
      },
    });
    const known = { sha256, signature, durationSeconds } satisfies RecordChange;
    switch (judgement.kind) {
      case 'job':
        put(path, known);
        takeUp(file);
        return;
      case 'converted':
        takeOver(path, judgement.entry, known);
        return;
      case 'same-sound':
      case 'other-settings': {
        const { path: sameAs, jobId } = judgement.entry;
        put(path, { ...known, verdict: judgement.kind, sameAs, jobId, standing: 'rest' });
        return;
      }
      case 'own-output':
        put(path, { ...known, verdict: 'own-output', standing: 'rest' });
        return;
      case 'budget':
        put(path, { ...known, verdict: 'budget', standing: 'open' });
        return;
      case 'refused':
        put(path, { ...known, verdict: 'refused', problem: judgement.problem, standing: 'rest' });
    }
  }

  return {
    ready(file) {
      const line = desk.get(file.path);
      if (!isAtGate(line)) return;
      try {
        judge(line, file);
      } catch (error) {
        // The line of work does it again once it can be written.
        if (isWriteBlocked(error)) throw error;
        // A connection that was removed, perhaps: it says so, and waits for a person.
        const problem: Problem = error instanceof AppError ? error.problem : { code: 'internal' };
        if (problem.code === 'internal') onDefect(error);
        put(file.path, { verdict: 'refused', problem, standing: 'attention' });
      }
    },
    refused(path, signature, problem) {
      const line = desk.get(path);
      if (!isAtGate(line)) return;
      // It may be whole: a disk or a right is at fault, and whoever sees to that should know.
      const standing = problem.code === 'input/unreadable' ? 'attention' : 'rest';
      put(path, { verdict: 'refused', problem, signature, standing, isForced: false });
    },
  };
}

/** Files that were not taken, for a reason that may be over: sends them to the gate again. */
export interface Rechecks {
  /** The folder is watched anew, by other settings perhaps. */
  atStart(): void;
  /** The folder was away, and is there again. */
  whenBack(): void;
  /** Once a second. */
  tick(now: number): void;
}

interface RechecksDependencies {
  readonly desk: BatchWriter;
  readonly lines: Pick<FileStore, 'paths' | 'held'>;
  readonly ledger: Pick<Ledger, 'minutesSince'>;
  consider(paths: readonly string[]): void;
}

const heldEveryMs = 60_000;
const unreadableEveryMs = 600_000;

/** Not the file was at fault but its disk, or a right. */
const isUnreadable = ({ problem }: FileRecord): boolean => problem?.code === 'input/unreadable';

/** Not the file was at fault but the folder's settings, which may be others now. */
const isOfFolder = (line: FileRecord): boolean =>
  isUnreadable(line) ||
  line.standing === 'attention' ||
  line.problem?.code === 'watch/too-long' ||
  line.problem?.code === 'watch/length-unknown';

/** True at once, and then so long after it was true; a clock that is set back makes nobody wait. */
function createEvery(ms: number): (now: number) => boolean {
  let last = -Infinity;
  return (now) => {
    if (now >= last && now - last < ms) return false;
    last = now;
    return true;
  };
}

export function createRechecks({ desk, lines, ledger, consider }: RechecksDependencies): Rechecks {
  const { id } = desk;
  const isTimeForHeld = createEvery(heldEveryMs);
  const isTimeForUnreadable = createEvery(unreadableEveryMs);

  function takeRefused(isWanted: (line: FileRecord) => boolean): void {
    desk.inSlices(lines.paths(id, 'refused'), (some) => {
      const again = some.filter((path) => {
        const line = desk.get(path);
        return line?.verdict === 'refused' && isWanted(line);
      });
      again.forEach((path) => desk.toGate(path));
      consider(again);
    });
  }

  /** Whoever is sent to the gate is read to its end: only those for which there is room today. */
  function takeHeld(now: number): void {
    const { dailyMinutes } = desk.folder().settings;
    const roomMinutes = dailyMinutes === null ? Infinity : dailyMinutes - ledger.minutesSince(id, startOfDay(now));
    consider(lines.held(id, Math.ceil(roomMinutes * 60)));
  }

  return {
    atStart: () => takeRefused(isOfFolder),
    whenBack: () => takeRefused(isUnreadable),
    tick(now) {
      if (isTimeForHeld(now)) takeHeld(now);
      if (isTimeForUnreadable(now)) takeRefused(isUnreadable);
    },
  };
}
