import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { localConnectionId } from '../../shared/schemas/connection.ts';
import type { JobProgress } from '../../shared/schemas/job.ts';
import type { Settings } from '../../shared/schemas/settings.ts';
import type { SpawnService } from './child-process.ts';
import type { Clock } from './clock.ts';
import { type ConnectionRegistry, withSpokenListener } from './connections/connection-registry.ts';
import { createConnectionStore, type ConnectionStore } from './connections/connection-store.ts';
import { followConnections } from './connections/follow-connections.ts';
import { localConnectionName } from './connections/local-engine.ts';
import { openDatabase, type OpenedDatabase, openOrReadDatabase } from './database/database.ts';
import { isDamage } from './database/sqlite.ts';
import { isWriteBlocked } from './database/write-gate.ts';
import { createCopyStore } from './files/copy-store.ts';
import { errnoOf } from './files/errno.ts';
import { createTemporaryFiles } from './files/temporary-files.ts';
import { type Copies, createCopies } from './history/copies.ts';
import { createFileQueries } from './history/file-status.ts';
import { createHistoryFiles, type HistoryFiles, type HistoryAccess } from './history/history-files.ts';
import { createHistory, type History } from './history/history.ts';
import { createHookRuns } from './hooks/hook-runs.ts';
import { createHooks, type Hooks, isHookWanted } from './hooks/hooks.ts';
import { createQueue, type Queue } from './jobs/queue.ts';
import { createStatisticsReader, type StatisticsReader } from './history/statistics.ts';
import { createNameOrder } from './name-order.ts';
import { createPresetStore, type PresetStore } from './presets/preset-store.ts';
import { readPronunciations } from './speech/pronunciations.ts';
import { createSoundReader } from '../../sound/sound-reader.ts';
import type { SecretStore } from './secrets/secret-store.ts';
import { originsOf } from './voice-service/address.ts';
import {
  createFavouriteVoices,
  createVoiceNotes,
  createVoiceCache,
  type FavouriteVoices,
  type VoiceNotes,
  type VoiceCache,
} from './voices/voice-cache.ts';
import { createExcerpts, type Excerpts } from './voices/excerpts.ts';
import { createPreviewStore } from './voices/preview-store.ts';
import type { VoiceCatalogue } from './voices/voice-catalogue.ts';
import { createVoicePreviews, type VoicePreviews } from './voices/voice-previews.ts';
import { createWatch, type Watch } from './watch/watch-service.ts';

const noAnnotation = { isFavourite: false, tags: [] } as const;

/** History, as its files need it. */
export const toHistoryAccess = (history: History): HistoryAccess => ({
  hide: history.hide,
  show: history.show,
  isVisible: (id) => history.get(id) !== undefined,
  notifyChanged: history.notifyChanged,
  flush: history.flush,
  annotations: (id) => history.get(id) ?? noAnnotation,
});

/** Everything stored in the data folder's database. */
export interface Data {
  readonly queue: Queue;
  readonly connectionStore: ConnectionStore;
  readonly voiceCache: VoiceCache;
  readonly favourites: FavouriteVoices;
  readonly notes: VoiceNotes;
  readonly previews: VoicePreviews;
  readonly excerpts: Excerpts;
  /** Idle until started. */
  readonly presets: PresetStore;
  /** Idle until started. */
  readonly watch: Watch;
  readonly history: History;
  readonly statistics: StatisticsReader;
  /** Idle until started. */
  readonly historyFiles: HistoryFiles;
  /** Copies new results from the start; what earlier processes left out once started. */
  readonly copies: Copies;
  /** Idle until started. */
  readonly hooks: Hooks;
  /** Why all this can only be read, and every write is refused: `data/newer`. Null if it can be written. */
  readonly refusal: AppError | null;
  /** Aborted when `close` begins; ends all listeners to this data. */
  readonly signal: AbortSignal;
  /** Starts nothing more, ends all work, then closes the database. Idempotent. */
  close(): Promise<void>;
}

export interface DataDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  readonly dataFolder: string;
  readonly spawnService: SpawnService;
  /** Module of a thread: beside the bundle, or the TypeScript file. */
  readonly threadUrl: (
    name:
      | 'integrity-worker'
      | 'checkpoint-worker'
      | 'baseline-worker'
      | 'list-worker'
      | 'statistics-worker'
      | 'inspection-worker'
      | 'sound-worker',
  ) => URL;
  /** Path of ffmpeg; null if there is none. */
  readonly ffmpeg: () => Promise<string | null>;
  readonly role: 'app' | 'command';
  /** As of the queue. */
  readonly askedAt?: number;
  /** True if data of a newer Timbre is opened to be read. By default it is refused. */
  readonly readsNewer?: boolean;
  /** The current settings. */
  readonly settings: () => Pick<
    Settings,
    | 'proxy'
    | 'localConcurrency'
    | 'nameTemplate'
    | 'language'
    | 'isOfflineMode'
    | 'isPausedOnBattery'
    | 'copies'
    | 'hook'
    | 'ffmpegPath'
  >;
  onProgress(progress: JobProgress): void;
  onDefect(error: unknown): void;
  /** Moves a file to the trash, where the user can restore it. */
  trash(path: string): Promise<void>;
  /** Called with the message that a service sends with speech. */
  onSpoken?(message: string | null): void;
}

interface Surroundings {
  /** Receives the stored connections. */
  readonly connections: ConnectionRegistry;
  readonly voices: VoiceCatalogue;
  readonly secrets: SecretStore;
  /** Repairs a damaged database that is closed. */
  repair(): Promise<void>;
}

type All = DataDependencies & Surroundings;

/** A command ends after its results have copies; the app copies after its next start what it leaves out. */
const copyPatienceMs = { app: 1000, command: 10_000 } as const;

async function compose({ database, refusal }: OpenedDatabase, dependencies: All): Promise<Data> {
  const { clock, dataFolder, role, threadUrl, settings, connections, secrets, onDefect, onSpoken } = dependencies;
  const connectionStore = createConnectionStore({
    database,
    secrets,
    clock,
    randomId: randomUUID,
    reservedNames: [localConnectionName, localConnectionId],
    onDefect,
  });
  // Before the queue, which adopts only the jobs of registered connections.
  const storedConnections = connectionStore.list();
  for (const connection of storedConnections) connections.upsert(connection);
  if (!refusal) {
    await secrets
      .adopt(storedConnections.map(({ id, document }) => ({ account: id, origins: originsOf(document.hosts) })))
      .catch((error: unknown) => {
        // The next start tries again. A disk that fails here is no reason to call what a command does a failure.
        if (errnoOf(error) === undefined) onDefect(error);
      });
  }
  const closing = new AbortController();
  const registry = onSpoken ? withSpokenListener(connections, onSpoken) : connections;
  const runs = createHookRuns(database);
  const queue = createQueue(database, {
    ...dependencies,
    connections: registry,
    refusal,
    isOfflineMode: () => settings().isOfflineMode,
    // A command is explicit.
    isPausedOnBattery: () => role === 'app' && settings().isPausedOnBattery,
    recordDone(job, processId) {
      if (isHookWanted(settings().hook)) runs.add(job, processId);
    },
  });
  const { platform } = process;
  const fileQueries = createFileQueries({ clock, platform });
  const { id: owner, isAlive } = queue.processLock;
  const temporaryFiles = createTemporaryFiles({ folder: join(dataFolder, 'temporary-files'), owner, isAlive });
  const copyStore = createCopyStore({
    folder: join(dataFolder, 'copies'),
    owner,
    isAlive,
    temporaryFiles,
    reservedBytes: queue.reservedBytes,
  });
  const files = { copyStore, temporaryFiles, fileQueries };
  const shared = { ...dependencies, database, queue, connections: registry, ...files };
  const workerUrl = threadUrl('list-worker');
  try {
    const { store, writes } = queue;
    const compareNames = createNameOrder(() => settings().language);
    const history = createHistory({ database, clock, store, writes, workerUrl, compareNames, onDefect });
    const statistics = createStatisticsReader({ database, clock, workerUrl: threadUrl('statistics-worker') });
    const watch = createWatch({
      ...shared,
      isReadOnly: refusal !== null,
      nameTemplate: () => settings().nameTemplate,
      compareNames,
      pronunciations: () => readPronunciations(dataFolder),
    });
    const copies = createCopies({
      ...shared,
      store: queue.store,
      settings: () => settings().copies,
      patienceMs: copyPatienceMs[role],
    });
    const hooks = createHooks({
      ...{ ...dependencies, ...queue, runs, history, platform },
      settings: () => settings().hook,
      // Both hear that a job is done before the hooks do.
      whenSettled: (id) => Promise.all([copies.whenSettled(id), watch.whenDisposed(id)]),
    });
    const historyFiles = createHistoryFiles({ ...shared, copies, history: toHistoryAccess(history) });
    const voiceCache = createVoiceCache(database);
    const favourites = createFavouriteVoices(database, clock);
    const notes = createVoiceNotes(database);
    const presets = createPresetStore({
      database,
      writes: queue.writes,
      connections,
      clock,
      randomId: randomUUID,
      compareNames,
      signal: closing.signal,
      onDefect,
    });
    const soundReader = createSoundReader({ workerUrl: threadUrl('sound-worker'), ffmpeg: dependencies.ffmpeg });
    const excerpts = createExcerpts({ folder: join(dataFolder, 'excerpt'), soundReader });
    const previews = createVoicePreviews({
      store: createPreviewStore(database),
      writes: queue.writes,
      connections,
      excerpts,
      clock,
      folder: join(dataFolder, 'previews'),
      inspectSound: queue.inspectSound,
      readFeatures: soundReader.readFeatures,
    });
    if (role === 'app' && !refusal) {
      followConnections({ database, store: connectionStore, registry: connections, clock, onDefect }, closing.signal);
    }
    let closed: Promise<void> | undefined;
    const closeAll = async () => {
      closing.abort();
      // The queue stops first: no paid call may be sent while the others stop.
      const schedulerStopped = queue.scheduler.stop();
      const stops = [
        previews.stop,
        excerpts.stop,
        soundReader.stop,
        watch.stop,
        historyFiles.stop,
        history.stop,
        statistics.stop,
        () => schedulerStopped,
        hooks.stop,
        copies.stop,
        queue.stop,
      ];
      for (const stop of stops) {
        try {
          await stop();
        } catch (error) {
          // A part that cannot read a damaged database must not keep the others running.
          if (!isWriteBlocked(error)) onDefect(error);
        }
      }
      database.close();
    };
    return {
      queue,
      connectionStore: {
        ...connectionStore,
        save: (...args) => queue.writes.write(() => connectionStore.save(...args)),
        remove(id) {
          queue.writes.write(() => connectionStore.remove(id));
          queue.takes.removeByConnection(id).catch(onDefect);
        },
      },
      voiceCache: {
        ...voiceCache,
        replace: (...args) => queue.writes.defer(() => voiceCache.replace(...args)),
        forget(id) {
          previews.forget(id);
          queue.writes.defer(() => voiceCache.forget(id));
        },
      },
      favourites: {
        ...favourites,
        set: (...args) => queue.writes.write(() => favourites.set(...args)),
      },
      notes: { ...notes, set: (...args) => queue.writes.write(() => notes.set(...args)) },
      previews,
      excerpts,
      presets,
      watch,
      history,
      statistics,
      historyFiles,
      copies,
      hooks,
      refusal,
      signal: closing.signal,
      close: () => (closed ??= closeAll()),
    };
  } catch (error) {
    await queue.stop();
    throw error;
  }
}

const isDamageError = (error: unknown): boolean =>
  isDamage(error) || (error instanceof AppError && error.code === 'data/damaged');

async function tryToOpen(dependencies: All): Promise<Data> {
  const { dataFolder, readsNewer = false } = dependencies;
  const opened: OpenedDatabase = readsNewer
    ? await openOrReadDatabase(dataFolder)
    : { database: await openDatabase(dataFolder), refusal: null };
  const { database, refusal } = opened;
  try {
    return await compose(opened, dependencies);
  } catch (error) {
    if (database.isOpen) database.close();
    // A repair would drop what only the newer Timbre stores.
    throw refusal && isDamageError(error) ? refusal : error;
  }
}

/**
 * Opens the database and everything that uses it. Repairs damage that shows on opening, in the header or in the
 * first rows. A separate module, because it is not needed before the first paint.
 */
export async function openData(dependencies: All): Promise<Data> {
  try {
    return await tryToOpen(dependencies);
  } catch (error) {
    if (!isDamageError(error)) throw error;
    await dependencies.repair();
    return tryToOpen(dependencies);
  }
}
