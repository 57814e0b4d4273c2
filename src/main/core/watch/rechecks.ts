import { isPassingProblem } from '../../../shared/errors.ts';
import { isTablePath } from '../../../shared/schemas/watch.ts';
import { isWithinHours } from '../../../shared/text/hours.ts';
import { startOfDay } from '../clock.ts';
import type { Job } from '../jobs/job.ts';
import type { RecordWriter } from './record-writer.ts';
import type { FileRecord } from './file-record.ts';
import type { FileStore } from './file-store.ts';
import type { FolderJobs } from './folder-jobs.ts';
import type { Ledger } from './ledger.ts';
import { isUnnamed, type SubfolderVoices } from './subfolder-voices.ts';

/** Sends rejected files to the gate again when the reason may have gone. */
export interface Rechecks {
  /** The folder is watched again, perhaps with other settings. */
  atStart(): void;
  /** The folder is online again. */
  onRootBack(): void;
  /** Called once a second. */
  tick(now: number): void;
}

interface RechecksDependencies {
  readonly writer: RecordWriter;
  readonly records: Pick<FileStore, 'listPage' | 'listPaths' | 'listOverBudget'>;
  readonly ledger: Pick<Ledger, 'minutesSince'>;
  readonly voices: Pick<SubfolderVoices, 'find'>;
  /** Path of ffmpeg; null if there is none. */
  readonly ffmpeg: () => Promise<string | null>;
  readonly jobs: Pick<FolderJobs, 'find'>;
  retryFailed(record: FileRecord, job: Job): void;
  awaitStable(paths: readonly string[]): void;
  /** Runs later, if the folder is still watched. */
  whileRunning(work: () => void): void;
  onDefect(error: unknown): void;
}

const overBudgetIntervalMs = 60_000;
const refusedIntervalMs = 600_000;
const ffmpegIntervalMs = 5000;
/** Files that need the user are looked through in one go; more are few, and have their turn once these are done. */
const maxAttention = 1000;

/** Rejected because of its disk or a permission, not because of the file. */
const isUnreadable = ({ problem }: FileRecord): boolean => problem?.code === 'input/unreadable';

/** Rejected because its voice could not be looked up, or the user's pronunciations not be read. */
const isUnprepared = ({ problem }: FileRecord): boolean => problem !== null && isPassingProblem(problem);

/** Rejected because the voice of its subfolder was not known. */
const isWithoutVoice = (record: FileRecord): boolean =>
  isUnprepared(record) || (record.problem !== null && isUnnamed(record.problem));

/** Rejected because of something outside of the file. */
export const isPassing = (record: FileRecord): boolean => isUnreadable(record) || isUnprepared(record);

/** Whether the reason has gone is only known once the file is read again; voices of subfolders are looked up before. */
const isReadAgain = (record: FileRecord): boolean =>
  isUnreadable(record) ||
  record.problem?.code === 'pronunciation/damaged' ||
  (isTablePath(record.path) && isUnprepared(record));

/** Rejected because of the folder's settings, which may have changed, or its disk. */
const dependsOnFolder = (record: FileRecord): boolean =>
  isUnreadable(record) ||
  record.stage === 'attention' ||
  record.problem?.code === 'watch/too-long' ||
  record.problem?.code === 'watch/length-unknown';

/** Returns true on the first call and then at most once per `ms`; also when the clock was set back. */
function createInterval(ms: number): (now: number) => boolean {
  let last = -Infinity;
  return (now) => {
    if (now >= last && now - last < ms) return false;
    last = now;
    return true;
  };
}

export function createRechecks(dependencies: RechecksDependencies): Rechecks {
  const { writer, records, ledger, voices, ffmpeg, jobs, retryFailed, awaitStable, whileRunning, onDefect } =
    dependencies;
  const { id } = writer;
  const isOverBudgetDue = createInterval(overBudgetIntervalMs);
  const isRefusedDue = createInterval(refusedIntervalMs);
  const isFfmpegDue = createInterval(ffmpegIntervalMs);

  function recheckRefused(shouldRecheck: (record: FileRecord) => boolean): void {
    writer.inBatches(records.listPaths(id, 'refused'), (batch) => {
      const paths = batch.filter((path) => {
        const record = writer.find(path);
        return record?.decision === 'refused' && shouldRecheck(record);
      });
      paths.forEach((path) => writer.recheck(path));
      awaitStable(paths);
    });
  }

  /** The gate reads each file completely, so only files whose voice is known now are sent there. */
  async function recheckWithoutVoice(): Promise<void> {
    const { connectionId, hasSubfolderVoices } = writer.folder().settings;
    if (!hasSubfolderVoices) return;
    const found: string[] = [];
    for (const path of records.listPaths(id, 'refused')) {
      const record = writer.find(path);
      if (record?.decision !== 'refused' || !isWithoutVoice(record)) continue;
      // Why not is known: the record says so.
      if (await voices.find(connectionId, path).catch(() => undefined)) found.push(path);
    }
    whileRunning(() => {
      const waiting = found.filter((path) => writer.find(path)?.decision === 'refused');
      waiting.forEach((path) => writer.recheck(path));
      awaitStable(waiting);
    });
  }

  /** Nothing was sent of these, and nothing is missing but ffmpeg: they continue once it is there. */
  async function retryWithFfmpeg(): Promise<void> {
    const listWaiting = () =>
      records.listPage(id, null, 'attention', maxAttention).flatMap((record) => {
        const own = record.decision !== 'job' || record.jobId === null ? undefined : jobs.find(record.jobId);
        return own?.state === 'failed' && own.problem?.code === 'input/needs-ffmpeg' ? [{ record, own }] : [];
      });
    if (listWaiting().length === 0 || (await ffmpeg()) === null) return;
    whileRunning(() => {
      for (const { record, own } of listWaiting()) retryFailed(record, own);
    });
  }

  /** The gate reads each file completely, so only files that fit into today's budget are sent there. */
  function recheckOverBudget(now: number): void {
    const { dailyMinutes, hours } = writer.folder().settings;
    if (hours !== null && !isWithinHours(hours, new Date(now))) return;
    const roomMinutes = dailyMinutes === null ? Infinity : dailyMinutes - ledger.minutesSince(id, startOfDay(now));
    awaitStable(records.listOverBudget(id, Math.ceil(roomMinutes * 60)));
  }

  return {
    atStart: () => recheckRefused(dependsOnFolder),
    onRootBack: () => recheckRefused(isUnreadable),
    tick(now) {
      if (isOverBudgetDue(now)) recheckOverBudget(now);
      if (isFfmpegDue(now)) retryWithFfmpeg().catch(onDefect);
      if (!isRefusedDue(now)) return;
      recheckRefused(isReadAgain);
      recheckWithoutVoice().catch(onDefect);
    },
  };
}
