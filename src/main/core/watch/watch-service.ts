import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { AppError, type Problem } from '../../../shared/errors.ts';
import type { PresetReference } from '../../../shared/schemas/preset.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { Pronunciation } from '../../../shared/text/pronounce.ts';
import { isTablePath, type WatchPreview, type WatchSettings } from '../../../shared/schemas/watch.ts';
import { isWithinHours } from '../../../shared/text/hours.ts';
import type { SpawnService } from '../child-process.ts';
import { type Clock, idlePollMs, sleepToTick, startOfDay } from '../clock.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import { createListeners } from '../events.ts';
import { isInside } from '../files/folders.ts';
import { isSameContent } from '../files/identity.ts';
import { missingFolderOf } from '../jobs/job-commands.ts';
import type { JobEvent } from '../jobs/job-store.ts';
import { isSuperseded, type Job } from '../jobs/job.ts';
import type { Queue } from '../jobs/queue.ts';
import type { CompareNames } from '../name-order.ts';
import { createRemoteScanner } from '../scanner/remote-scanner.ts';
import { rootIdentity } from '../scanner/root-identity.ts';
import type { Scanner } from '../scanner/scanner.ts';
import type { VoiceCatalogue } from '../voices/voice-catalogue.ts';
import { createBaselineWriter } from './baseline-writer.ts';
import { createWriteQueue } from './write-queue.ts';
import type { Allowance, WatchedFileView } from './watched-state.ts';
import { isAtGate } from './file-record.ts';
import { createFileStore, type RecordCounts } from './file-store.ts';
import { createFolderJobs } from './folder-jobs.ts';
import { createFolderRegistry, folderNotFound, withResolvedPaths } from './folder-registry.ts';
import { createFolderStore, type WatchFolder } from './folder-store.ts';
import {
  createFolderWatcher,
  type FolderWatcher,
  type FolderWatcherDependencies,
  type FolderWatcherState,
} from './folder-watcher.ts';
import type { Disposals } from './job-followup.ts';
import { createLedger } from './ledger.ts';
import { explainPath, type PathExplanation } from './explain-path.ts';
import { previewFolder } from './preview.ts';
import { createSubfolderVoices } from './subfolder-voices.ts';
import { createTextPreparation } from './prepare-text.ts';

/** Watched folders: converts each recording in them once, and speaks each text if it is told to. */
export interface Watch {
  /** Starts to watch every listed folder. */
  start(): void;
  stop(): Promise<void>;
  listFolders(): readonly FolderView[];
  getFolder(id: string): FolderView;
  /**
   * Starts to watch a folder, or changes its settings, which does not convert anything again. Throws
   * `watch/overlaps` and what `placeMarker` throws.
   */
  save(id: string | null, settings: WatchSettings, voice: Voice): Promise<FolderView>;
  /** Like `save`, for a command: the folder is not listed in the window. Throws `watch/elsewhere` if another process watches it. */
  run(settings: WatchSettings, voice: Voice, answer: 'convert' | 'leave'): Promise<FolderView>;
  /** Does nothing if it was removed already. */
  remove(id: string): void;
  setPaused(id: string, isPaused: boolean): void;
  /** Changes which preset a folder refers to, and nothing else of it; null ends the reference. */
  setPreset(id: string, preset: PresetReference | null): void;
  answerBaseline(id: string, answer: 'convert' | 'leave'): void;
  listFiles(id: string, before: number | null, only: 'all' | 'attention', limit: number): readonly WatchedFileView[];
  findFile(id: string, path: string): WatchedFileView | undefined;
  /** True if this process knows the folder that decides about the file of the job. Nobody does once it is removed. */
  decidesAbout(job: Job): boolean;
  /** Jobs of the files that a folder counts among those that need the user. */
  jobsInNeed(id: string): readonly string[];
  convert(id: string, paths: readonly string[]): void;
  /** Lists what would be converted. A new preview aborts the previous one. */
  preview(settings: WatchSettings): Promise<WatchPreview>;
  explain(path: string): Promise<PathExplanation>;
  /** Resolves once the original of this job, if its result is to be verified for that, is where it belongs or stays. */
  whenDisposed(jobId: string): Promise<void>;
  /** True if no scanner event waits for a decision. */
  isIdle(): boolean;
  /** Scans all folders now, for example after the machine woke up. */
  rescan(): void;
  onFolder(listener: (id: string) => void): () => void;
  onFile(listener: (file: { readonly id: string; readonly path: string }) => void): () => void;
}

/** A folder with its current state. */
export interface FolderView extends FolderWatcherState {
  readonly folder: WatchFolder;
  readonly counts: RecordCounts;
  readonly minutesToday: number;
  readonly allowance: Allowance;
  /** The baseline, until the user has decided about it. */
  readonly baseline: { readonly files: number; readonly texts: number; readonly seconds: number } | null;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly queue: Pick<
    Queue,
    'store' | 'breaker' | 'submitJobs' | 'ownResults' | 'scheduler' | 'writes' | 'processLock'
  >;
  readonly clock: Clock;
  readonly connections: ConnectionRegistry;
  readonly voices: Pick<VoiceCatalogue, 'listAll'>;
  readonly spawnService: SpawnService;
  /** Module of a thread: beside the bundle, or the TypeScript file. Without it, this thread adds the files of a first scan. */
  readonly threadUrl?: (name: 'baseline-worker') => URL;
  /** True if nothing is ever watched, because the database is only read. False by default. */
  readonly isReadOnly?: boolean;
  readonly nameTemplate: () => string;
  readonly compareNames: CompareNames;
  /** The user's list; may throw `pronunciation/damaged`. */
  readonly pronunciations: () => readonly Pronunciation[];
  /** Path of ffmpeg; null, as by default, if there is none. */
  readonly ffmpeg?: (() => Promise<string | null>) | undefined;
  trash(path: string): Promise<void>;
  onDefect(error: unknown): void;
  readonly scanner?: Scanner;
}

export function createWatch(dependencies: Dependencies): Watch {
  const { database, queue, clock, connections, voices, spawnService, pronunciations, trash, onDefect } = dependencies;
  const { ffmpeg = () => Promise.resolve(null), isReadOnly = false } = dependencies;
  const { store, breaker, submitJobs, ownResults, scheduler, writes, processLock } = queue;
  const scanner = dependencies.scanner ?? createRemoteScanner({ spawnService, clock, onDefect });
  const folders = createFolderStore({ database, clock, processLock, onDefect });
  const records = createFileStore(database, clock);
  const ledger = createLedger(database, clock);
  const registry = createFolderRegistry({
    database,
    writes,
    folders,
    records,
    ledger,
    isWatchedHere: (id) => watchers.has(id),
  });
  const subfolderVoices = createSubfolderVoices({ voices, clock });
  const jobs = createFolderJobs(dependencies);
  const prepareText = createTextPreparation({ voices, pronunciations, submitJobs, ledger, jobs });
  const writeQueue = createWriteQueue(writes, onDefect);
  const baselineWriter = createBaselineWriter({
    database,
    workerUrl: dependencies.threadUrl?.('baseline-worker'),
    onDefect,
  });
  const disposals: Disposals = new Map();
  const folderEvents = createListeners<string>(onDefect);
  const fileEvents = createListeners<{ readonly id: string; readonly path: string }>(onDefect);
  const watchers = new Map<string, FolderWatcher>();
  const stopping = new AbortController();
  let previewing = new AbortController();
  /** Folders that this process has started to watch. */
  const started = new Set<string>();
  let isStarted = false;
  let isTicking = false;

  /** Creates the watcher on first use, as listed folders accept commands before `start`. */
  function getWatcher(id: string): FolderWatcher {
    const found = watchers.get(id);
    if (found) return found;
    if (folders.find(id)?.isListed !== true) throw folderNotFound(id);
    return addWatcher(id, 'ask');
  }

  /** Starts once the lease can be written, so that one folder does not block the others. */
  function startWhenWritable(id: string, watcher: FolderWatcher): void {
    const start = () => {
      watcher.start();
      repeatLostEvents(id);
    };
    try {
      start();
    } catch (error) {
      if (!writes.holdFor(error)) throw error;
      writeQueue.add(() => {
        if ([...watchers.values()].includes(watcher)) start();
      });
    }
  }

  /** True for the jobs of a folder's files. */
  const isJobOf =
    (id: string) =>
    ({ id: jobId, source }: Job): boolean =>
      !!source?.sha256 && ledger.has(id, source.sha256, jobId);

  /** A job that was never sent leaves the list with its event, unless Timbre was killed in between. */
  function repeatLostEvents(id: string): void {
    const jobs = store.listNeverSent().filter(isJobOf(id));
    if (jobs.length > 0) onJobEvent({ kind: 'upserted', jobs });
  }

  /** Throws if the user's change could not be saved. */
  const assertWritable = () => writes.write(() => undefined);

  async function tick(): Promise<void> {
    for (;;) {
      await sleepToTick(clock, idlePollMs(clock), stopping.signal);
      if (writes.heldSince() !== null) continue;
      for (const watcher of watchers.values()) {
        try {
          watcher.tick(clock.now());
        } catch (error) {
          if (!writes.holdFor(error)) onDefect(error);
        }
      }
    }
  }

  function addWatcher(id: string, answer: FolderWatcherDependencies['answer']): FolderWatcher {
    const watcher = createFolderWatcher({
      id,
      database,
      clock,
      scanner,
      folders,
      records,
      ledger,
      ownResults,
      voices: subfolderVoices,
      disposals,
      writeQueue,
      baselineWriter,
      writes,
      answer,
      trash,
      onDefect,
      jobs,
      prepareText,
      ffmpeg,
      onFile: (path) => fileEvents.emit({ id, path }),
      onFolder: () => folderEvents.emit(id),
    });
    watchers.set(id, watcher);
    if (!isTicking) {
      isTicking = true;
      tick().catch((error: unknown) => {
        if (!stopping.signal.aborted) onDefect(error);
      });
    }
    return watcher;
  }

  /** Why the queue waits for the folder of these results; none if it does not. */
  function outputProblems({ outputFolder }: WatchSettings): readonly Problem[] {
    const pause = breaker.find(null, 'disk');
    const gone = missingFolderOf(pause);
    if (!pause?.problem || gone === undefined || outputFolder === null) return [];
    const isGone = isInside(gone, outputFolder) || isInside(outputFolder, String(pause.problem.facts?.['folder']));
    return isGone ? [pause.problem] : [];
  }

  async function save(id: string | null, wanted: WatchSettings, voice: Voice): Promise<FolderView> {
    const before = id === null ? undefined : folders.find(id);
    const { outputFolder } = withResolvedPaths(wanted);
    // What is converted already would wait for the former folder, and all jobs with it. Before the settings change, so that
    // another attempt still finds it if this folder cannot be made.
    if (before && before.settings.outputFolder !== outputFolder)
      await scheduler.moveResults(outputFolder, isJobOf(before.id));
    const saved = await registry.save(id, wanted, voice);
    return startWatching(saved, 'ask');
  }

  function view(folder: WatchFolder): FolderView {
    const { id, baselineStage } = folder;
    const { dailyMinutes, hours } = folder.settings;
    const minutesToday = ledger.minutesSince(id, startOfDay(clock.now()));
    const state = watchers.get(id)?.state() ?? {
      mode: folder.isPaused || isStarted || isReadOnly ? 'paused' : 'starting',
      since: folder.createdAt,
      problems: [],
      checkedAt: null,
      everySeconds: 60,
      isMeasured: true,
    };
    return {
      ...state,
      problems: [...state.problems, ...outputProblems(folder.settings)],
      folder,
      counts: records.counts(id),
      minutesToday,
      allowance: {
        usedMinutes: minutesToday,
        limitMinutes: dailyMinutes ?? 0,
        hours: hours !== null && !isWithinHours(hours, new Date(clock.now())) ? hours : null,
      },
      baseline: baselineStage === 'asking' ? records.baselineTotals(id) : null,
    };
  }

  function folderView(id: string): FolderView {
    const folder = folders.find(id);
    if (!folder) throw folderNotFound(id);
    return view(folder);
  }

  const fileView = (record: WatchedFileView['record']): WatchedFileView => ({
    record,
    job: record.jobId === null ? undefined : store.get(record.jobId),
    wait: watchers.get(record.folderId)?.wait(record.path),
  });

  /** Throws `watch/elsewhere` if another process watches the folder. */
  function assertNotWatchedElsewhere(id: string): void {
    if (!folders.isLeasedElsewhere(id) && watchers.get(id)?.state().mode !== 'elsewhere') return;
    throw new AppError('watch/elsewhere', `${id} is watched by another process`);
  }

  function startWatching(id: string, answer: FolderWatcherDependencies['answer']): FolderView {
    watchers.get(id)?.stop();
    started.add(id);
    startWhenWritable(id, addWatcher(id, answer));
    // Jobs of dead processes: the app adopts all of them by itself, a command only those of its folder.
    writes.defer(() => {
      const open = records.listOpen(id).flatMap(({ jobId, sha256, path }) => {
        if (jobId === null) return [];
        // Of one that was not submitted completely, the rows are adopted as it is.
        return isTablePath(path) && sha256 !== null ? [jobId, ...ledger.openRows(id, sha256, jobId)] : jobId;
      });
      scheduler.adoptOrphans(open);
    });
    folderEvents.emit(id);
    return folderView(id);
  }

  /** A copy of a table refers to one row of it, but lacks each row that was never sent. */
  function onSuperseded(job: Job): void {
    const sha256 = job.source?.sha256;
    if (sha256 === undefined) return;
    for (const [id, watcher] of watchers) {
      for (const record of records.listCopies(id, sha256)) watcher.onJobChange(record, job);
    }
  }

  const decidesAbout = ({ source }: Job): boolean =>
    [...watchers.keys()].some((id) => {
      const folder = folders.find(id);
      return folder !== undefined && source !== null && isInside(folder.settings.path, source.path);
    });

  function onJobEvent(event: JobEvent): void {
    if (watchers.size === 0) return;
    if (event.kind === 'removed') {
      for (const record of event.ids.flatMap(records.listByJob)) watchers.get(record.folderId)?.onJobRemoved(record);
    } else if (event.kind === 'upserted') {
      for (const job of event.jobs) {
        for (const record of records.listByJob(job.id)) watchers.get(record.folderId)?.onJobChange(record, job);
        if (isSuperseded(job)) onSuperseded(job);
      }
      const superseded = event.jobs.filter((job) => job.isListed && isSuperseded(job) && decidesAbout(job));
      if (superseded.length === 0) return;
      store.remove(superseded.map(({ id }) => id));
      for (const id of watchers.keys()) ledger.recountMinutes(id);
    }
  }

  const subscriptions = [
    scanner.onEvent((event) => watchers.get(event.id)?.onScannerEvent(event)),
    store.onEvent((event) => {
      try {
        onJobEvent(event);
      } catch (error) {
        if (!writes.holdFor(error)) throw error;
        writeQueue.add(() => onJobEvent(event));
      }
    }),
    writes.onChanged(() => [...watchers.keys()].forEach(folderEvents.emit)),
    breaker.onChanged(() => [...watchers.keys()].forEach(folderEvents.emit)),
    connections.onChanged(subfolderVoices.forget),
  ];

  return {
    start() {
      isStarted = true;
      for (const { id, isListed } of folders.list()) {
        if (!isListed || started.has(id)) continue;
        started.add(id);
        startWhenWritable(id, getWatcher(id));
      }
    },
    async stop() {
      stopping.abort();
      previewing.abort();
      subscriptions.forEach((end) => end());
      for (const watcher of watchers.values()) watcher.stop();
      writeQueue.stop();
      await Promise.all([scanner.stop(), baselineWriter.stop(), writeQueue.whenEmpty(), ...disposals.values()]);
    },
    listFolders: () =>
      folders
        .list()
        .filter(({ isListed }) => isListed)
        .map(view),
    getFolder: folderView,
    save,
    run: async (settings, voice, answer) => startWatching(await registry.run(settings, voice, answer), answer),
    remove(id) {
      if (!watchers.has(id) && folders.find(id)?.isListed !== true) return;
      const watcher = getWatcher(id);
      writes.write(() => registry.remove(id));
      watcher.stop();
      watchers.delete(id);
      started.delete(id);
      folderEvents.emit(id);
    },
    setPaused(id, isPaused) {
      const watcher = getWatcher(id);
      writes.write(() => folders.update(id, { isPaused }));
      watcher.stop();
      if (started.has(id)) startWhenWritable(id, watcher);
      else folderEvents.emit(id);
    },
    setPreset(id, preset) {
      const settings = { ...folderView(id).folder.settings };
      if (preset) settings.preset = preset;
      else delete settings.preset;
      writes.write(() => folders.update(id, { settings }));
      folderEvents.emit(id);
    },
    answerBaseline(id, answer) {
      assertNotWatchedElsewhere(id);
      assertWritable();
      getWatcher(id).answerBaseline(answer);
    },
    listFiles: (id, before, only, limit) => records.listPage(id, before, only, limit).map(fileView),
    findFile(id, path) {
      const record = records.find(id, path);
      return record && fileView(record);
    },
    decidesAbout,
    jobsInNeed: records.listJobsInNeed,
    convert(id, paths) {
      assertNotWatchedElsewhere(id);
      assertWritable();
      getWatcher(id).convert(paths);
    },
    async preview(requested) {
      const settings = withResolvedPaths(requested);
      previewing.abort(new AppError('job/cancelled', 'another preview was asked for'));
      previewing = new AbortController();
      const known = folders.list().find((folder) => folder.settings.path === settings.path);
      return previewFolder({
        scanner,
        id: randomUUID(),
        settings,
        identity: await rootIdentity(settings.path),
        voices: subfolderVoices,
        isNew({ path, signature }) {
          if (!known) return true;
          const record = records.find(known.id, path);
          if (!record) return true;
          return (
            !isSameContent(record.signature, signature) ||
            isAtGate(record) ||
            // The user has not decided about it yet.
            (record.decision === 'baseline' && known.baselineStage !== 'answered')
          );
        },
        compareNames: dependencies.compareNames,
        signal: AbortSignal.any([previewing.signal, stopping.signal]),
      });
    },
    explain: (path) =>
      explainPath(
        folders.list().flatMap((folder) =>
          folder.isListed
            ? [
                {
                  folder,
                  mode: view(folder).mode,
                  view: (inside: string) => {
                    const record = records.find(folder.id, inside);
                    return record && fileView(record);
                  },
                },
              ]
            : [],
        ),
        path,
      ),
    whenDisposed: (jobId) => disposals.get(jobId) ?? Promise.resolve(),
    isIdle: writeQueue.isEmpty,
    rescan: scanner.rescan,
    onFolder: folderEvents.add,
    onFile: fileEvents.add,
  };
}
