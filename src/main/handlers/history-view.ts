import type { Emitters } from '../../shared/ipc/contract-types.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { HistoryDetail, HistoryFile, HistoryRow } from '../../shared/schemas/history.ts';
import { rulesOf } from '../core/database/search-functions.ts';
import type { HistoryEntry } from '../core/history/entries.ts';
import type { History, HistoryRecord } from '../core/history/history.ts';
import type { Job } from '../core/jobs/job.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import { rowsInMessage } from './jobs.ts';

/** As long as a page shows a text. */
const maxTextLength = 20_000;

/** An entry as a page may know it: names instead of paths, opaque ids for what can be played. */
export function toHistoryRow(entry: HistoryEntry, media: MediaRegistry): HistoryRow {
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
    sourceMedia: sourcePath !== null && isExamined ? media.idOf(sourcePath) : null,
    resultMedia: resultPath === null ? null : media.idOf(resultPath),
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

/** Everything about an entry that a page may know: no address of a result, which may be signed, is among it. */
export function toHistoryDetail(
  { entry, job, watchFolder, others }: HistoryRecord,
  media: MediaRegistry,
): HistoryDetail {
  const { finished } = job;
  return {
    row: toHistoryRow(entry, media),
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
    others: others.map((other) => toHistoryRow(other, media)),
  };
}

interface Dependencies {
  readonly media: MediaRegistry;
  readonly emit: Pick<Emitters<Contract>['history'], 'listed' | 'changed'>;
}

/** Tells the pages of lists that were counted and of entries that changed, until history is stopped. */
export function announceHistory(
  history: Pick<History, 'onListed' | 'onChanged' | 'getAll'>,
  { media, emit }: Dependencies,
): void {
  history.onListed(emit.listed);
  history.onChanged(({ ids, isStale }) => {
    const rows = history.getAll(ids).map((entry) => toHistoryRow(entry, media));
    if (rows.length > 0 || isStale) emit.changed({ put: rows.slice(0, rowsInMessage), isStale });
    for (let start = rowsInMessage; start < rows.length; start += rowsInMessage) {
      emit.changed({ put: rows.slice(start, start + rowsInMessage), isStale: false });
    }
  });
}
