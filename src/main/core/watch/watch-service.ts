import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { WatchPreview, WatchSettings } from '../../../shared/schemas/watch.ts';
import type { SpawnService } from '../child-process.ts';
import { type Clock, startOfDay } from '../clock.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import { createListeners } from '../events.ts';
import { isSameContent } from '../files/identity.ts';
import type { JobEvent } from '../jobs/job-store.ts';
import type { JobSource } from '../jobs/job.ts';
import type { Queue } from '../jobs/queue.ts';
import { createRemoteScanner } from '../scanner/remote-scanner.ts';
import { rootIdentity } from '../scanner/root-identity.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { createWriteQueue } from './batch-writer.ts';
import type { WatchedFileView } from './decisions.ts';
import { createFileStore, type RecordCounts } from './file-store.ts';
import { createFolderRegistry, noFolder, withoutTail } from './folder-registry.ts';
import { createFolderStore, type WatchFolder } from './folder-store.ts';
import {
  createFolderWatcher,
  type FolderWatcher,
  type FolderWatcherDependencies,
  type FolderWatcherState,
} from './folder-watcher.ts';
import type { Disposals } from './job-followup.ts';
import { createLedger } from './ledger.ts';
import { explainPath, type PathAnswer, previewFolder } from './preview.ts';

interface Dependencies {
  readonly database: DatabaseSync;
  readonly queue: Pick<Queue, 'store' | 'submitJobs' | 'scheduler' | 'writes' | 'processLock'>;
  readonly clock: Clock;
  readonly connections: ConnectionRegistry;
  readonly spawnService: SpawnService;
  readonly nameTemplate: () => string;
  trash(path: string): Promise<void>;
  onDefect(error: unknown): void;
  readonly eyes?: Scanner;
}

const tickMs = 1000;

export function createWatch(dependencies: Dependencies): Watch {
  const { database, queue, clock, connections, spawnService, nameTemplate, trash, onDefect } = dependencies;
  const { store, submitJobs, scheduler, writes, processLock } = queue;
  const eyes = dependencies.eyes ?? createRemoteScanner({ spawnService, clock, onDefect });
  const folders = createFolderStore({ database, clock, processLock, onDefect });
  const lines = createFileStore(database, clock);
  const register = createFolderRegistry({ database, writes, folders, lines, isKept: (id) => keepers.has(id) });
  const ledger = createLedger(database, clock);
  const work = createWriteQueue(writes, onDefect);
  const endings: Disposals = new Map();
  const folderNews = createListeners<string>(onDefect);
  const fileNews = createListeners<{ readonly id: string; readonly path: string }>(onDefect);
  const keepers = new Map<string, FolderWatcher>();
  const stopping = new AbortController();
  let previewing = new AbortController();
  /** Folders whose keeper looks, or has looked, by this process's wish. */
  const begun = new Set<string>();
  let isStarted = false;
  let isTicking = false;

  /** What is in the list can be spoken to before anything is started. */
  function keeper(id: string): FolderWatcher {
    const found = keepers.get(id);
    if (found) return found;
    if (folders.get(id)?.listed !== true) throw noFolder(id);
    return keep(id, 'ask');
  }

  /** Once the database can be written: a folder that cannot be owned just now is watched later, and holds up no other. */
  function startSoon(made: FolderWatcher): void {
    try {
      made.start();
    } catch (error) {
      if (!writes.holdFor(error)) throw error;
      work.add(() => {
        if ([...keepers.values()].includes(made)) made.start();
      });
    }
  }

  /** Throws where what a person asks for could not be kept. */
  const mustBeWritable = () => writes.write(() => undefined);

  function addJob({ settings, voice }: WatchFolder, source: JobSource) {
    const { id, document } = connections.get(settings.connectionId);
    return submitJobs.addRecording(source, {
      connection: { id, name: document.name, document },
      voice,
      settings: settings.conversion,
      outputFolder: settings.outputFolder,
      nameTemplate: nameTemplate(),
    });
  }

  async function tick(): Promise<void> {
    for (;;) {
      await clock.sleep(tickMs, stopping.signal);
      if (writes.heldSince() !== null) continue;
      for (const each of keepers.values()) {
        try {
          each.tick(clock.now());
        } catch (error) {
          if (!writes.holdFor(error)) onDefect(error);
        }
      }
    }
  }

  function keep(id: string, answer: FolderWatcherDependencies['answer']): FolderWatcher {
    const made = createFolderWatcher({
      id,
      database,
      clock,
      eyes,
      folders,
      lines,
      ledger,
      endings,
      work,
      writes,
      answer,
      trash,
      onDefect,
      addJob,
      job: store.get,
      retryJob: scheduler.retry,
      onFile: (path) => fileNews.tell({ id, path }),
      onFolder: () => folderNews.tell(id),
    });
    keepers.set(id, made);
    if (!isTicking) {
      isTicking = true;
      tick().catch((error: unknown) => {
        if (!stopping.signal.aborted) onDefect(error);
      });
    }
    return made;
  }

  function view(folder: WatchFolder): FolderView {
    const { id, existing } = folder;
    return {
      ...(keepers.get(id)?.state() ?? {
        mode: folder.isPaused || isStarted ? 'paused' : 'starting',
        since: folder.createdAt,
        problems: [],
        checkedAt: null,
        everySeconds: 60,
        isMeasured: true,
      }),
      folder,
      counts: lines.counts(id),
      minutesToday: ledger.minutesSince(id, startOfDay(clock.now())),
      existing: existing === 'asking' ? lines.before(id) : null,
    };
  }

  function folderView(id: string): FolderView {
    const folder = folders.get(id);
    if (!folder) throw noFolder(id);
    return view(folder);
  }

  const fileView = (line: WatchedFileView['line']): WatchedFileView => ({
    line,
    job: line.jobId === null ? undefined : store.get(line.jobId),
    wait: keepers.get(line.folderId)?.wait(line.path),
  });

  /** A command watches it just now: what is done here would be done behind its back. */
  function mustBeOurs(id: string): void {
    if (!folders.isElsewhere(id)) return;
    throw new AppError('watch/elsewhere', `${id} is watched by another process`);
  }

  function begin(id: string, answer: FolderWatcherDependencies['answer']): FolderView {
    keepers.get(id)?.stop();
    begun.add(id);
    startSoon(keep(id, answer));
    // What a process left that is dead: the app takes up all of it by itself, a command only what it is asked for.
    writes.defer(() => scheduler.adoptOrphans(lines.open(id).flatMap(({ jobId }) => jobId ?? [])));
    folderNews.tell(id);
    return folderView(id);
  }

  function hearJobs(news: JobEvent): void {
    if (keepers.size === 0) return;
    if (news.kind === 'removed') {
      for (const line of news.ids.flatMap(lines.ofJob)) keepers.get(line.folderId)?.hearRemoved(line);
    } else if (news.kind === 'upserted') {
      for (const job of news.jobs) {
        for (const line of lines.ofJob(job.id)) keepers.get(line.folderId)?.hearJob(line, job);
      }
    }
  }

  const subscriptions = [
    eyes.onEvent((news) => keepers.get(news.id)?.hear(news)),
    store.onEvent((news) => {
      try {
        hearJobs(news);
      } catch (error) {
        if (!writes.holdFor(error)) throw error;
        work.add(() => hearJobs(news));
      }
    }),
    writes.onChanged(() => [...keepers.keys()].forEach(folderNews.tell)),
  ];

  return {
    start() {
      isStarted = true;
      for (const { id, listed } of folders.list()) {
        if (!listed || begun.has(id)) continue;
        begun.add(id);
        startSoon(keeper(id));
      }
    },
    async stop() {
      stopping.abort();
      previewing.abort();
      subscriptions.forEach((end) => end());
      for (const each of keepers.values()) each.stop();
      work.stop();
      await Promise.all([eyes.stop(), work.empty(), ...endings.values()]);
    },
    folders: () =>
      folders
        .list()
        .filter(({ listed }) => listed)
        .map(view),
    folder: folderView,
    save: async (id, settings, voice) => begin(await register.save(id, settings, voice), 'ask'),
    run: async (settings, voice, answer) => begin(await register.run(settings, voice, answer), answer),
    remove(id) {
      const made = keeper(id);
      writes.write(() => register.remove(id));
      made.stop();
      keepers.delete(id);
      begun.delete(id);
      folderNews.tell(id);
    },
    setPaused(id, isPaused) {
      const made = keeper(id);
      writes.write(() => folders.change(id, { isPaused }));
      made.stop();
      if (begun.has(id)) startSoon(made);
      else folderNews.tell(id);
    },
    answerExisting(id, answer) {
      mustBeOurs(id);
      mustBeWritable();
      keeper(id).answerExisting(answer);
    },
    files: (id, before, only, limit) => lines.page(id, before, only, limit).map(fileView),
    file(id, path) {
      const line = lines.get(id, path);
      return line && fileView(line);
    },
    convert(id, paths) {
      mustBeOurs(id);
      mustBeWritable();
      keeper(id).convert(paths);
    },
    async preview(asked) {
      const settings = withoutTail(asked);
      previewing.abort(new AppError('job/cancelled', 'another preview was asked for'));
      previewing = new AbortController();
      const known = folders.list().find((folder) => folder.settings.path === settings.path);
      return previewFolder({
        eyes,
        id: randomUUID(),
        settings,
        identity: await rootIdentity(settings.path),
        isNew({ path, signature }) {
          if (!known) return true;
          const line = lines.get(known.id, path);
          if (!line) return true;
          return (
            !isSameContent(line.signature, signature) ||
            line.verdict === 'waiting' ||
            line.verdict === 'budget' ||
            // Until somebody has decided about it.
            (line.verdict === 'before' && known.existing !== 'answered')
          );
        },
        signal: AbortSignal.any([previewing.signal, stopping.signal]),
      });
    },
    explain: (path) =>
      explainPath(
        folders.list().flatMap((folder) =>
          folder.listed
            ? [
                {
                  folder,
                  mode: view(folder).mode,
                  view: (inside: string) => {
                    const line = lines.get(folder.id, inside);
                    return line && fileView(line);
                  },
                },
              ]
            : [],
        ),
        path,
      ),
    isRested: work.isEmpty,
    rescan: eyes.rescan,
    onFolder: folderNews.add,
    onFile: fileNews.add,
  };
}

/** A folder with all that is known of it just now. */
export interface FolderView extends FolderWatcherState {
  readonly folder: WatchFolder;
  readonly counts: RecordCounts;
  readonly minutesToday: number;
  /** What was there before, while nobody has decided about it. */
  readonly existing: { readonly files: number; readonly seconds: number } | null;
}

/** Watched folders: what is in them becomes jobs, once. */
export interface Watch {
  /** Takes up every folder that a window shows. */
  start(): void;
  stop(): Promise<void>;
  folders(): readonly FolderView[];
  folder(id: string): FolderView;
  /**
   * Begins to watch a folder, or gives one other settings: nothing that was converted is converted again for it. Throws `watch/overlaps`
   * and as `placeMarker`.
   */
  save(id: string | null, settings: WatchSettings, voice: Voice): Promise<FolderView>;
  /** As `save`, for a command: its folder is shown in no window. Throws `watch/elsewhere` where another Timbre watches it. */
  run(settings: WatchSettings, voice: Voice, answer: 'convert' | 'leave'): Promise<FolderView>;
  remove(id: string): void;
  setPaused(id: string, isPaused: boolean): void;
  answerExisting(id: string, answer: 'convert' | 'leave'): void;
  files(id: string, before: number | null, only: 'all' | 'attention', limit: number): readonly WatchedFileView[];
  file(id: string, path: string): WatchedFileView | undefined;
  convert(id: string, paths: readonly string[]): void;
  /** What would be converted. A later preview ends an earlier one. */
  preview(settings: WatchSettings): Promise<WatchPreview>;
  explain(path: string): Promise<PathAnswer>;
  /** Nothing that was told waits to be judged. */
  isRested(): boolean;
  /** Looks over all folders: the machine woke up. */
  rescan(): void;
  onFolder(listener: (id: string) => void): () => void;
  onFile(listener: (file: { readonly id: string; readonly path: string }) => void): () => void;
}
