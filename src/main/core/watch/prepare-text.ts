import { join } from 'node:path';
import { AppError, type Problem } from '../../../shared/errors.ts';
import { slowestSpeed, type SpeechJobSettings } from '../../../shared/schemas/speech.ts';
import { isSubtitlesPath, isTablePath } from '../../../shared/schemas/watch.ts';
import { createSerializer } from '../../../shared/serializer.ts';
import type { Pronunciation } from '../../../shared/text/pronounce.ts';
import { estimateSpeechSeconds } from '../../../shared/text/speech-duration.ts';
import { createEventLoopYielder } from '../clock.ts';
import { type Job, type SpeechJob, wasNeverSent } from '../jobs/job.ts';
import type { SpeechRequest } from '../jobs/new-job.ts';
import { isUnfetched } from '../jobs/retry-policy.ts';
import type { SubmitJobs } from '../jobs/submit-jobs.ts';
import { assertSpoken, jobSettings } from '../speech/spoken-passages.ts';
import {
  type BatchText,
  isReady,
  nameTemplateFor,
  prepareBatch,
  readTableTexts,
  titleWithoutTable,
} from '../speech/speech-batch.ts';
import type { VoiceCatalogue } from '../voices/voice-catalogue.ts';
import type { FileRecord } from './file-record.ts';
import type { FolderJobs } from './folder-jobs.ts';
import type { WatchFolder } from './folder-store.ts';
import { type Ledger, settingsHash } from './ledger.ts';
import { badRowsProblem } from '../speech/text-file.ts';

/** A row of a table in a watched folder that is spoken. */
interface WatchedRow {
  readonly text: string;
  readonly request: SpeechRequest;
  readonly seconds: number;
  /** The job that it has already, whatever state that is in; null if it gets one. */
  readonly jobId: string | null;
}

/** As the table has it. */
interface WrittenRow extends Omit<WatchedRow, 'jobId'> {
  readonly written: Pick<BatchText, 'voice' | 'language'>;
}

/** What is said of a text file in a watched folder. */
export type PreparedText =
  /** One job. */
  | { readonly kind: 'text'; readonly settings: SpeechJobSettings }
  /** A table: a job for each row that can be spoken. `problem` says which rows cannot; null if all can. */
  | { readonly kind: 'table'; readonly rows: readonly WatchedRow[]; readonly problem: Problem | null }
  /** A text that cannot be spoken, which only matters if it has not been spoken before. */
  | { readonly kind: 'refused'; readonly problem: Problem };

interface Dependencies {
  readonly voices: Pick<VoiceCatalogue, 'listAll'>;
  /** The user's list; may throw `pronunciation/damaged`. */
  pronunciations(): readonly Pronunciation[];
  readonly submitJobs: Pick<SubmitJobs, 'findResults'>;
  readonly ledger: Pick<Ledger, 'find' | 'has'>;
  readonly jobs: Pick<FolderJobs, 'find' | 'speechRequest'>;
}

/** `path` is relative to the folder; `record` is the record of the file, with the content and job that it had before. */
export type PrepareText = (
  folder: WatchFolder,
  file: { readonly path: string; readonly sha256: string },
  record: Pick<FileRecord, 'sha256' | 'jobId' | 'isForced'>,
  content: string,
) => Promise<PreparedText>;

/** What tells the rows of a content apart, under any name of its table, unless the user named two of them the same. */
const rowKey = (path: string, text: string, { title = '' }: SpeechJobSettings): string =>
  `${titleWithoutTable(title, path)}\n${text}`;

/** True if there is nothing that was paid for, or may be: only making it anew brings a result. */
const isLost = (job: Job): boolean => job.state === 'failed' && !isUnfetched(job);

/** Removes the first element for which `isMeant` is true, and returns it. */
function takeFirst<T>(all: T[] | undefined, isMeant: (one: T) => boolean): T | undefined {
  const index = all?.findIndex(isMeant) ?? -1;
  return index < 0 ? undefined : all?.splice(index, 1)[0];
}

/**
 * Finds out what is to be said of a text file before the database is locked for its jobs, because a book takes seconds. Rejects
 * if the voices of a table cannot be listed.
 */
export function createTextPreparation({ voices, pronunciations, submitJobs, ledger, jobs }: Dependencies): PrepareText {
  // One after the other: each needs all of a core.
  const inTurn = createSerializer();

  async function prepareText(folder: WatchFolder, path: string, text: string): Promise<PreparedText> {
    try {
      const { connection, voice, settings: own } = jobs.speechRequest(folder);
      const given = { ...own, ...(isSubtitlesPath(path) && { textFormat: 'subtitles' as const }) };
      // The folder stores the languages of its speakers.
      const settings = await jobSettings(text, given, voice, null, pronunciations());
      await assertSpoken(text, settings, connection.document.limits.maxTextLength);
      return { kind: 'text', settings };
    } catch (error) {
      if (error instanceof AppError) return { kind: 'refused', problem: error.problem };
      throw error;
    }
  }

  /** True if all is to be made anew, but for the rows of such a request that was interrupted. */
  function isWantedAnew({ jobId, isForced }: Pick<FileRecord, 'jobId' | 'isForced'>): boolean {
    const state = jobId === null ? undefined : jobs.find(jobId)?.state;
    return isForced && state !== 'failed' && state !== 'uncertain';
  }

  /**
   * The jobs of the rows of a content that stay as they are. If the user tries again what failed of it, whatever the settings are
   * by now: the rest is spoken, or about to be. Otherwise all but those that were never sent.
   */
  async function keptJobs(
    { id: folderId, settings }: WatchFolder,
    { path, sha256 }: Parameters<PrepareText>[1],
    record: Pick<FileRecord, 'jobId' | 'isForced'>,
  ): Promise<readonly SpeechJob[]> {
    const { jobId, isForced } = record;
    const isAnew = isWantedAnew(record);
    const entries = ledger.find(folderId, sha256);
    const hash = isForced ? entries.find((entry) => entry.jobId === jobId)?.settingsHash : settingsHash(path, settings);
    const yieldIfLate = createEventLoopYielder(() => performance.now());
    const kept: SpeechJob[] = [];
    for (const entry of entries) {
      // Rows of a table that was not submitted completely have the settings of then.
      const isMeant = entry.isUnfinished || (!isAnew && entry.settingsHash === hash);
      const row = isMeant ? jobs.find(entry.jobId) : undefined;
      const isGone = row && (isForced ? isLost(row) : wasNeverSent(row));
      if (row?.kind === 'speech' && !isGone) kept.push(row);
      await yieldIfLate();
    }
    return kept;
  }

  /**
   * The jobs of the rows that a table had before it was corrected, whatever the settings were then, the latest first, and the ids
   * of those that were certainly made with the settings of now. None if the user asks for all of it.
   */
  async function formerJobs(
    { id: folderId, settings }: WatchFolder,
    { path, sha256 }: Parameters<PrepareText>[1],
    record: Parameters<PrepareText>[2],
  ): Promise<{ readonly rows: readonly SpeechJob[]; readonly current: ReadonlySet<string> }> {
    const rows: SpeechJob[] = [];
    const current = new Set<string>();
    const former = record.sha256;
    if (former === null || former === sha256 || isWantedAnew(record)) return { rows, current };
    const hash = settingsHash(path, settings);
    const yieldIfLate = createEventLoopYielder(() => performance.now());
    for (const entry of ledger.find(folderId, former)) {
      const row = jobs.find(entry.jobId);
      if (row?.kind === 'speech' && !isLost(row)) rows.push(row);
      // What a content kept of the one before counts no seconds.
      if (entry.settingsHash === hash && entry.durationSeconds > 0) current.add(entry.jobId);
      await yieldIfLate();
    }
    return { rows, current };
  }

  /** Finds what was spoken before: once a table was corrected, only the corrected rows are spoken. */
  async function prepareTable(
    folder: WatchFolder,
    { path, sha256 }: Parameters<PrepareText>[1],
    record: Parameters<PrepareText>[2],
    content: string,
  ): Promise<PreparedText> {
    const request = jobs.speechRequest(folder);
    let listProblem: Problem | null = null;
    const texts = await prepareBatch(await readTableTexts(path, content), {
      ...{ speaker: request.voice, settings: request.settings, pronunciations: pronunciations() },
      maxLength: request.connection.document.limits.maxTextLength,
      findVoice: null,
      async listVoices() {
        const all = await voices.listAll(request.connection.id);
        listProblem = all.problem;
        return all;
      },
    });
    const unlisted = texts.find(({ problem }) => problem !== null && problem === listProblem)?.problem;
    if (unlisted) throw new AppError(unlisted.code, `not all voices are known for ${path}`, unlisted);
    const ready = texts.filter(isReady).map((text): WrittenRow => ({
      written: text,
      text: text.text,
      seconds: estimateSpeechSeconds(text.text) / slowestSpeed(text.settings),
      request: {
        ...{ ...request, voice: text.speaker, settings: text.settings },
        nameTemplate: nameTemplateFor(text, request.nameTemplate),
      },
    }));
    /** Rows that were cancelled stay so, unless the table did without them meanwhile. */
    const isLeft = ({ id, state }: Job): boolean =>
      state === 'uncertain' ||
      (state === 'cancelled' && [record.sha256, sha256].some((one) => one !== null && ledger.has(folder.id, one, id)));
    const kept = await keptJobs(folder, { path, sha256 }, record);
    const made = await submitJobs.findResults(ready, join(folder.settings.path, path), isLeft);
    const used = new Set(made);
    // Each job answers one row.
    const byRow = (some: readonly SpeechJob[]) =>
      Map.groupBy(
        some.filter(({ id }) => !used.has(id)),
        ({ text, settings, source }) => rowKey(source?.path ?? path, text, settings),
      );
    const free = byRow(kept);
    for (const { id } of kept) used.add(id);
    const { rows, current } = await formerJobs(folder, { path, sha256 }, record);
    const former = byRow(rows);
    const keyOf = ({ text, request }: WrittenRow): string => rowKey(path, text, request.settings);
    /** What the row itself asks for is as it is now; what it leaves to the folder may be as it was then. */
    function isUnchanged(job: SpeechJob, { written, request: { voice, settings } }: WrittenRow): boolean {
      const isCurrent = current.has(job.id);
      return (
        ((written.voice === null && !isCurrent) || job.voice.id === voice.id) &&
        ((written.language === null && !isCurrent) || job.settings.language === settings.language)
      );
    }
    const jobIds = ready.map((row, k) => made[k] ?? free.get(keyOf(row))?.shift()?.id ?? null);
    // Rows that ask for something choose first; the others get what is left.
    for (const asks of [true, false]) {
      for (const [k, row] of ready.entries()) {
        if (asks !== (row.written.voice !== null || row.written.language !== null)) continue;
        jobIds[k] ??= takeFirst(former.get(keyOf(row)), (job) => isUnchanged(job, row))?.id ?? null;
      }
    }
    return {
      kind: 'table',
      rows: ready.map(({ text, seconds, request: own }, k) => ({
        ...{ text, seconds, request: own },
        jobId: jobIds[k] ?? null,
      })),
      problem: badRowsProblem(texts),
    };
  }

  return (folder, file, record, content) =>
    isTablePath(file.path)
      ? prepareTable(folder, file, record, content)
      : inTurn(() => prepareText(folder, file.path, content));
}
