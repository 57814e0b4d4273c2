import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../shared/errors.ts';
import type { JobProgress } from '../../shared/schemas/job.ts';
import type { Settings } from '../../shared/schemas/settings.ts';
import type { SpawnService } from './child-process.ts';
import type { Clock } from './clock.ts';
import { type ConnectionRegistry, withSpokenListener } from './connections/connection-registry.ts';
import { createConnectionStore, type ConnectionStore } from './connections/connection-store.ts';
import { localConnectionName } from './connections/local-engine.ts';
import { openDatabase } from './database/database.ts';
import { isDamage } from './database/sqlite.ts';
import { createHistoryFiles, type HistoryFiles, type Shelf } from './history/history-files.ts';
import { createHistory, type History } from './history/history.ts';
import { createQueue, type Queue } from './jobs/queue.ts';
import type { SecretStore } from './secrets/secret-store.ts';
import { originsOf } from './voice-service/address.ts';
import {
  createFavouriteVoices,
  createVoiceCache,
  type FavouriteVoices,
  type VoiceCache,
} from './voices/voice-cache.ts';
import type { VoiceCatalogue } from './voices/voice-catalogue.ts';
import { createWatch, type Watch } from './watch/watch-service.ts';

const unmarked = { isFavourite: false, tags: [] } as const;

/** History, as its files need it. */
export const shelfOf = (history: History): Shelf => ({
  hide: history.hide,
  show: history.show,
  isVisible: (id) => history.get(id) !== undefined,
  notifyChanged: history.notifyChanged,
  flush: history.flush,
  annotations: (id) => history.get(id) ?? unmarked,
});

/** What stands in the data folder's database. */
export interface Data {
  readonly queue: Queue;
  readonly connectionStore: ConnectionStore;
  readonly voiceCache: VoiceCache;
  readonly favourites: FavouriteVoices;
  /** Stands still until it is started. */
  readonly watch: Watch;
  readonly history: History;
  /** Stand still until they are started. */
  readonly historyFiles: HistoryFiles;
  /** Aborted when `close` begins: ends whatever listens to any of this. */
  readonly signal: AbortSignal;
  /** Takes up nothing more from this moment on, ends all that is at work, then closes the database. Any number of calls. */
  close(): Promise<void>;
}

export interface DataDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  readonly dataFolder: string;
  readonly spawnService: SpawnService;
  /** Module of a thread: beside the bundle, or the TypeScript file. */
  readonly threadUrl: (name: 'integrity-worker' | 'list-worker' | 'look-worker') => URL;
  readonly role: 'app' | 'command';
  /** As they are just now: the way to services on other computers, and how much this computer does at once. */
  readonly settings: () => Pick<Settings, 'proxy' | 'localConcurrency' | 'nameTemplate'>;
  onProgress(progress: JobProgress): void;
  onDefect(error: unknown): void;
  /** Puts a file where the person can get it back. */
  trash(path: string): Promise<void>;
  /** Called with what a service says beside the sound that it made of a text. */
  onSpoken?(message: string | null): void;
}

interface Surroundings {
  /** Those that are stored are put into it. */
  readonly connections: ConnectionRegistry;
  readonly voices: VoiceCatalogue;
  readonly secrets: SecretStore;
  /** Puts a damaged database right, which nobody has open. */
  mend(): Promise<void>;
}

type All = DataDependencies & Surroundings;

async function compose(database: DatabaseSync, dependencies: All): Promise<Data> {
  const { clock, threadUrl, settings, connections, secrets, onDefect, onSpoken } = dependencies;
  const stored = createConnectionStore({
    database,
    secrets,
    clock,
    randomId: randomUUID,
    reservedNames: [localConnectionName],
    onDefect,
  });
  // Before the queue: it takes up the jobs of connections that are there.
  const all = stored.list();
  for (const connection of all) connections.put(connection);
  await secrets
    .adopt(all.map(({ id, document }) => ({ account: id, origins: originsOf(document.hosts) })))
    .catch(onDefect);
  const closing = new AbortController();
  const heard = onSpoken ? withSpokenListener(connections, onSpoken) : connections;
  const queue = createQueue(database, { ...dependencies, connections: heard });
  const shared = { ...dependencies, database, queue, connections: heard };
  const workerUrl = threadUrl('list-worker');
  try {
    const history = createHistory({ database, clock, store: queue.store, writes: queue.writes, workerUrl, onDefect });
    const watch = createWatch({ ...shared, nameTemplate: () => settings().nameTemplate });
    const historyFiles = createHistoryFiles({ ...shared, shelf: shelfOf(history), platform: process.platform });
    const copies = createVoiceCache(database);
    const favourites = createFavouriteVoices(database, clock);
    let closed: Promise<void> | undefined;
    const closeAll = async () => {
      closing.abort();
      // First of all the queue: while the others come to their end no paid call may leave.
      const worked = queue.scheduler.stop();
      await watch.stop();
      await historyFiles.stop();
      await history.stop();
      await worked;
      await queue.stop();
      database.close();
    };
    return {
      queue,
      connectionStore: {
        ...stored,
        save: (...given) => queue.writes.write(() => stored.save(...given)),
        remove: (id) => queue.writes.write(() => stored.remove(id)),
      },
      voiceCache: {
        ...copies,
        replace: (...given) => queue.writes.defer(() => copies.replace(...given)),
        forget: (id) => queue.writes.defer(() => copies.forget(id)),
      },
      favourites: {
        ...favourites,
        set: (...given) => queue.writes.write(() => favourites.set(...given)),
      },
      watch,
      history,
      historyFiles,
      signal: closing.signal,
      close: () => (closed ??= closeAll()),
    };
  } catch (error) {
    await queue.stop();
    throw error;
  }
}

const saysDamage = (error: unknown): boolean =>
  isDamage(error) || (error instanceof AppError && error.code === 'data/damaged');

async function tryToOpen(dependencies: All): Promise<Data> {
  const database = await openDatabase(dependencies.dataFolder);
  try {
    return await compose(database, dependencies);
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

/**
 * Opens the database and all that lives in it. Damage that shows on the way, in its head or in the first rows that are read, is put right
 * first. It is a module of its own because nobody needs it before the first paint.
 */
export async function openData(dependencies: All): Promise<Data> {
  try {
    return await tryToOpen(dependencies);
  } catch (error) {
    if (!saysDamage(error)) throw error;
    await dependencies.mend();
    return tryToOpen(dependencies);
  }
}
