import { join } from 'node:path';
import { AppError, type Problem } from '../../../shared/errors.ts';
import { slowestSpeed, type SpeechJobSettings } from '../../../shared/schemas/speech.ts';
import { isSubtitlesPath, isTablePath } from '../../../shared/schemas/watch.ts';
import { createSerializer } from '../../../shared/serializer.ts';
import type { Pronunciation } from '../../../shared/text/pronounce.ts';
import { estimateSpeechSeconds } from '../../../shared/text/speech-duration.ts';
import type { Job } from '../jobs/job.ts';
import type { SpeechRequest, SubmitJobs } from '../jobs/submit-jobs.ts';
import { assertSpoken, jobSettings } from '../speech/spoken-passages.ts';
import { isReady, nameTemplateFor, prepareBatch, readTableTexts } from '../speech/speech-batch.ts';
import type { VoiceCatalogue } from '../voices/voice-catalogue.ts';
import type { WatchFolder } from './folder-store.ts';
import type { Ledger } from './ledger.ts';
import { badRowsProblem } from '../speech/text-file.ts';

/** A row of a table in a watched folder that is spoken. */
export interface WatchedRow {
  readonly text: string;
  readonly request: SpeechRequest;
  readonly seconds: number;
  /** The job that made its result before; null if it is still to be made. */
  readonly jobId: string | null;
  /** False if this content of the table had a job for it, whatever became of that. */
  readonly isNew: boolean;
}

/** What is said of a text file in a watched folder. */
export type PreparedText =
  /** One job. */
  | { readonly kind: 'text'; readonly settings: SpeechJobSettings }
  /** A table: a job for each row that can be spoken. `problem` says which rows cannot; null if all can. */
  | { readonly kind: 'table'; readonly rows: readonly WatchedRow[]; readonly problem: Problem | null }
  /** A text that cannot be spoken, should it not have been spoken before. */
  | { readonly kind: 'refused'; readonly problem: Problem };

interface Dependencies {
  readonly voices: Pick<VoiceCatalogue, 'listAll'>;
  /** The user's list; may throw `pronunciation/damaged`. */
  pronunciations(): readonly Pronunciation[];
  readonly submitJobs: Pick<SubmitJobs, 'findResults'>;
  readonly ledger: Pick<Ledger, 'find' | 'has'>;
  job(id: string): Job | undefined;
  /** The request of a text in a folder. Throws `connection/not-found`. */
  requestOf(folder: WatchFolder): SpeechRequest;
}

/** `path` is relative to the folder. */
export type PrepareText = (
  folder: WatchFolder,
  file: { readonly path: string; readonly sha256: string },
  content: string,
) => Promise<PreparedText>;

/**
 * While rows of a table are not spoken, those that are, or are about to be, stay as they are, whatever the settings are by now.
 * Returns their jobs; each answers one row.
 */
function keptRows(jobs: readonly Job[]): (text: string) => string | undefined {
  const isComplete = jobs.every(({ state }) => state === 'done' || state === 'cancelled');
  const kept = isComplete ? [] : jobs.filter(({ state }) => state !== 'failed');
  const used = new Set<string>();
  return (text) => {
    const job = kept.find((one) => one.kind === 'speech' && one.text === text && !used.has(one.id));
    if (job) used.add(job.id);
    return job?.id;
  };
}

/**
 * Finds out what is to be said of a text file before the database is locked for its jobs, because a book takes seconds. Rejects
 * with why the voices of a table cannot be listed.
 */
export function createTextPreparation({
  voices,
  pronunciations,
  submitJobs,
  ledger,
  job,
  requestOf,
}: Dependencies): PrepareText {
  // Divided one after the other, so that a folder full of books needs the memory of one.
  const inTurn = createSerializer();

  async function prepareText(folder: WatchFolder, path: string, text: string): Promise<PreparedText> {
    try {
      const { connection, voice, settings: own } = requestOf(folder);
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

  /** Finds what was spoken before: once a table was corrected, only the corrected rows are spoken. */
  async function prepareTable(
    folder: WatchFolder,
    { path, sha256 }: Parameters<PrepareText>[1],
    content: string,
  ): Promise<PreparedText> {
    const request = requestOf(folder);
    let listProblem: Problem | null = null;
    const texts = await prepareBatch(readTableTexts(path, content), {
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
    const ready = texts.filter(isReady).map((text) => ({
      text: text.text,
      seconds: estimateSpeechSeconds(text.text) / slowestSpeed(text.settings),
      request: {
        ...{ ...request, voice: text.speaker, settings: text.settings },
        nameTemplate: nameTemplateFor(text, request.nameTemplate),
      },
    }));
    const made = await submitJobs.findResults(
      ready,
      join(folder.settings.path, path),
      ({ id, source }) => !ledger.has(folder.id, source?.sha256 ?? '', id),
    );
    const jobs = ledger.find(folder.id, sha256).flatMap(({ jobId }) => job(jobId) ?? []);
    const findKept = keptRows(jobs.filter(({ id }) => !made.includes(id)));
    const submitted = new Set(jobs.map((one) => (one.kind === 'speech' ? one.text : '')));
    return {
      kind: 'table',
      rows: ready.map((row, k) => {
        const jobId = made[k] ?? findKept(row.text) ?? null;
        return { ...row, jobId, isNew: jobId === null && !submitted.has(row.text) };
      }),
      problem: badRowsProblem(texts),
    };
  }

  return (folder, file, content) =>
    isTablePath(file.path)
      ? prepareTable(folder, file, content)
      : inTurn(() => prepareText(folder, file.path, content));
}
