import { basename } from 'node:path';
import type { WatchedFile, WatchFolderInfo } from '../../shared/wire/watch.ts';
import type { ConnectionBook } from '../core/connections/connection-book.ts';
import { toJobInfo } from '../core/jobs/job-info.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import { toWatchedState, type FileView } from '../core/watch/to-watched-state.ts';
import type { FolderView } from '../core/watch/watch.ts';

/** A folder as a page may know it. A connection that is gone has its id for a name. */
export function toFolderInfo(view: FolderView, connections: Pick<ConnectionBook, 'has' | 'get'>): WatchFolderInfo {
  const { folder, counts, existing, isMeasured, minutesToday } = view;
  const { id, settings, voice } = folder;
  const { connectionId } = settings;
  return {
    id,
    name: basename(settings.path) || settings.path,
    settings,
    voice,
    connectionName: connections.has(connectionId) ? connections.get(connectionId).document.name : connectionId,
    mode: view.mode,
    since: view.since,
    problems: view.problems,
    checkedAt: view.checkedAt,
    everySeconds: view.everySeconds,
    existing: existing && { ...existing, isMeasured },
    known: counts.known,
    incoming: counts.incoming,
    attention: counts.attention,
    minutesToday,
  };
}

/** A file of a folder as a page may know it. */
export function toWatchedFile(view: FileView, { folder, minutesToday }: FolderView, media: MediaRegistry): WatchedFile {
  const { line, job } = view;
  const limitMinutes = folder.settings.dailyMinutes ?? 0;
  return {
    folderId: line.folderId,
    path: line.path,
    order: line.order,
    at: line.at,
    sizeBytes: line.signature.sizeBytes,
    durationSeconds: line.durationSeconds,
    state: toWatchedState(view, { usedMinutes: minutesToday, limitMinutes }),
    job: job ? toJobInfo(job, media) : null,
    movedTo: line.movedTo,
  };
}
