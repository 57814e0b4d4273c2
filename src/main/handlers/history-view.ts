import type { Emitters } from '../../shared/ipc/contract-types.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { HistoryDetail, HistoryFile, HistoryRow } from '../../shared/schemas/history.ts';
import { rulesOf } from '../core/database/search-functions.ts';
import type { HistoryEntry } from '../core/history/entries.ts';
import type { History, HistoryRecord } from '../core/history/history.ts';
import type { Job } from '../core/jobs/job.ts';
import { fileKey } from '../core/media/media-server.ts';
import { rowsInMessage } from './jobs.ts';

/** Maximum length of a text on the page. */
const maxTextLength = 20_000;

/** An entry for the page: names and keys instead of paths. */
export function toHistoryRow(entry: HistoryEntry): HistoryRow {
  const { id, kind, state, endedAt, name, voice, durationSeconds, sourcePath, resultPath } = entry;
  const { isExamined, isWatched, isFavourite, tags, problem } = entry;
  return {
    id,
    kind,
    state,
    endedAt,
    name,
    voice,
    durationSeconds,
    sourceMedia: sourcePath !== null && isExamined ? fileKey(sourcePath) : null,
    resultMedia: resultPath === null ? null : fileKey(resultPath),
    isWatched,
    isFavourite,
    tags,
    problem,
  };
}

function fileAt(path: string, sizeBytes: number | null, sha256: string | null): HistoryFile {
  const rules = rulesOf(path);
  return { name: rules.basename(path), folder: rules.dirname(path), sizeBytes, sha256 };
}

function sourceOf(job: Job, { sourcePath }: HistoryEntry): HistoryFile | null {
  if (job.kind === 'speech' || sourcePath === null) return null;
  return fileAt(sourcePath, job.source.snapshot?.sizeBytes ?? null, job.sourceSha256);
}

/** Details of an entry for the page, without the result's URL, which may be signed. */
export function toHistoryDetail({ entry, job, watchFolder, others }: HistoryRecord): HistoryDetail {
  const { finished } = job;
  return {
    row: toHistoryRow(entry),
    source: sourceOf(job, entry),
    result:
      entry.resultPath === null
        ? null
        : fileAt(entry.resultPath, finished?.sizeBytes ?? null, finished?.sha256 ?? null),
    text: job.kind === 'speech' ? job.text.slice(0, maxTextLength).toWellFormed() : null,
    connectionId: job.connection.id,
    connectionName: job.connection.name,
    settings: job.settings,
    outputFolder: job.target.folder,
    outputFormat: job.outputFormat,
    taskId: job.kind === 'conversion' ? job.taskId : null,
    attempts: job.attempts,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    timings: job.timings,
    processingTime: job.processingTime,
    watchFolder,
    others: others.map(toHistoryRow),
  };
}

/** Sends counted lists and changed entries to the page until history stops. */
export function emitHistoryChanges(
  history: Pick<History, 'onListed' | 'onChanged' | 'getAll'>,
  emit: Pick<Emitters<Contract>['history'], 'listCounted' | 'changed'>,
): void {
  history.onListed(emit.listCounted);
  history.onChanged(({ ids, isStale }) => {
    const rows = history.getAll(ids).map(toHistoryRow);
    if (rows.length > 0 || isStale) emit.changed({ upserted: rows.slice(0, rowsInMessage), isStale });
    for (let start = rowsInMessage; start < rows.length; start += rowsInMessage) {
      emit.changed({ upserted: rows.slice(start, start + rowsInMessage), isStale: false });
    }
  });
}
