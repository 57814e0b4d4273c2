import { join } from 'node:path';
import { AppError, type Problem } from '../../../shared/errors.ts';
import { slowestSpeed } from '../../../shared/schemas/speech.ts';
import type { Pronunciation } from '../../../shared/text/pronounce.ts';
import { estimateSpeechSeconds } from '../../../shared/text/speech-duration.ts';
import type { SpeechRequest, SubmitJobs } from '../jobs/submit-jobs.ts';
import { isReady, nameTemplateFor, prepareBatch, readTableTexts } from '../speech/speech-batch.ts';
import type { VoiceCatalogue } from '../voices/voice-catalogue.ts';
import type { WatchFolder } from './folder-store.ts';
import { badRowsProblem } from '../speech/text-file.ts';

/** A row of a table in a watched folder that is spoken. */
export interface WatchedRow {
  readonly text: string;
  readonly request: SpeechRequest;
  readonly seconds: number;
  /** The job that made its result before; null if it is still to be made. */
  readonly jobId: string | null;
}

/** A table in a watched folder: a job for each row that can be spoken. */
export interface WatchedTable {
  readonly rows: readonly WatchedRow[];
  /** Which rows cannot be spoken; null if all can. */
  readonly problem: Problem | null;
}

interface Dependencies {
  readonly voices: Pick<VoiceCatalogue, 'listAll'>;
  pronunciations(): readonly Pronunciation[];
  readonly submitJobs: Pick<SubmitJobs, 'findResults'>;
  /** The request of a text in a folder. */
  requestOf(folder: WatchFolder): SpeechRequest;
}

export type PrepareTable = (folder: WatchFolder, path: string, content: string) => Promise<WatchedTable>;

/**
 * Reads a table with the voices of its rows, and finds what was spoken of it before: once a table was corrected, only the
 * corrected rows are spoken. Throws why voices cannot be listed, or why one that a row names may be missing from the list.
 */
export const createTablePreparation =
  ({ voices, pronunciations, submitJobs, requestOf }: Dependencies): PrepareTable =>
  async (folder, path, content) => {
    const request = requestOf(folder);
    let listProblem: Problem | null = null;
    const texts = await prepareBatch(readTableTexts(path, content), {
      ...{ speaker: request.voice, settings: request.settings, pronunciations: pronunciations() },
      maxLength: request.connection.document.limits.maxTextLength,
      // The folder stores the languages of its speakers.
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
    const made = await submitJobs.findResults(ready, join(folder.settings.path, path));
    return {
      rows: ready.map((row, k) => ({ ...row, jobId: made[k] ?? null })),
      problem: badRowsProblem(texts),
    };
  };
