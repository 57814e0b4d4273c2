import type { Contract } from '../../shared/contract.ts';
import type { Emitters } from '../../shared/contract-types.ts';
import type { WatchedFile } from '../../shared/wire/watch.ts';
import type { ConnectionBook } from '../core/connections/connection-book.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import type { FolderView, Watch } from '../core/watch/watch.ts';
import { toFolderInfo, toWatchedFile } from './watch-views.ts';

interface Dependencies {
  readonly media: MediaRegistry;
  readonly connections: Pick<ConnectionBook, 'has' | 'get'>;
  readonly emit: Emitters<Contract>['watch'];
  /** After it the data is closed. */
  readonly signal: AbortSignal;
  onDefect(error: unknown): void;
}

/** As often as a person sees a change. */
const everyMs = 250;
/** A burst of ten thousand files is told in parts, so that no message takes the page's breath. */
const filesInMessage = 200;

/** Tells the pages what happens in watched folders, some times a second at most, until `signal`. */
export function announceWatch(watch: Watch, { media, connections, emit, signal, onDefect }: Dependencies): void {
  const changed = new Map<string, { readonly id: string; readonly path: string }>();
  let isFolderNews = false;
  let timer: NodeJS.Timeout | undefined;

  function tellFiles(folders: ReadonlyMap<string, FolderView>): void {
    const some = [...changed].slice(0, filesInMessage);
    const put: WatchedFile[] = [];
    const removed: { folderId: string; path: string }[] = [];
    for (const [key, { id, path }] of some) {
      changed.delete(key);
      const folder = folders.get(id);
      const view = watch.file(id, path);
      if (!folder) continue;
      const isShown = view && (view.line.isThere || view.line.movedTo !== null || view.line.standing !== 'rest');
      if (isShown) put.push(toWatchedFile(view, folder, media));
      else removed.push({ folderId: id, path });
    }
    if (put.length + removed.length > 0) emit.filesChanged({ put, removed });
  }

  function tell(): void {
    timer = undefined;
    const folders = watch.folders();
    // What a file does changes the numbers of its folder too.
    if (isFolderNews || changed.size > 0) {
      isFolderNews = false;
      emit.changed(folders.map((view) => toFolderInfo(view, connections)));
    }
    tellFiles(new Map(folders.map((view) => [view.folder.id, view])));
    if (changed.size > 0) soon();
  }

  /** A bad page of the database may be read before it is found and put right. */
  function tellSafely(): void {
    try {
      tell();
    } catch (error) {
      onDefect(error);
    }
  }

  const soon = () => (timer ??= setTimeout(tellSafely, everyMs));
  const ends = [
    watch.onFolder(() => {
      isFolderNews = true;
      soon();
    }),
    watch.onFile((file) => {
      changed.set(`${file.id}/${file.path}`, file);
      soon();
    }),
  ];
  signal.addEventListener('abort', () => {
    ends.forEach((end) => end());
    clearTimeout(timer);
  });
}
