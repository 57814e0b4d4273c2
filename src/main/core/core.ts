import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../shared/app-error.ts';
import type { Problem } from '../../shared/problem.ts';
import type { JobProgress } from '../../shared/wire/job.ts';
import type { Settings } from '../../shared/wire/settings.ts';
import type { Clock } from './clock.ts';
import { createConnectionBook, type ConnectionBook } from './connections/connection-book.ts';
import { hearSpeech } from './connections/hear-speech.ts';
import { createLocalConnection, localConnectionName } from './connections/local-connection.ts';
import { createLocalEngine } from './connections/local-engine.ts';
import { createStoredConnections, type StoredConnections } from './connections/stored-connections.ts';
import { createDatabaseChores } from './database/database-chores.ts';
import { openDatabase } from './database/open-database.ts';
import { createQueue, type Queue } from './jobs/open-queue.ts';
import { createHistory, type History } from './library/history.ts';
import { createHistoryFiles, type HistoryFiles } from './library/history-files.ts';
import { shelfOf } from './library/shelf-of.ts';
import { createKeychain } from './secrets/keychain.ts';
import { createSecretStore, type SecretStore } from './secrets/secret-store.ts';
import type { SpawnService } from './spawn-service.ts';
import { createFavouriteVoices, type FavouriteVoices } from './voices/favourite-voices.ts';
import { createVoiceCatalogue, type VoiceCatalogue } from './voices/voice-catalogue.ts';
import { createVoiceCopies, type VoiceCopies } from './voices/voice-copies.ts';
import { createWatch, type Watch } from './watch/create-watch.ts';
import type { Connection } from './voice-service/connection.ts';
import { loadNetwork } from './voice-service/agents.ts';
import { createHttp, type Http } from './voice-service/http.ts';

/** What stands in the data folder's database. */
export interface Data {
  readonly queue: Queue;
  readonly stored: StoredConnections;
  readonly voiceCopies: VoiceCopies;
  readonly favourites: FavouriteVoices;
  /** Stands still until it is started. */
  readonly watch: Watch;
  readonly history: History;
  /** Stand still until they are started. */
  readonly historyFiles: HistoryFiles;
}

/** Timbre without a window: what the app and the command line have in common. */
export interface Core {
  /** This computer, those that were given, and, once `data` was asked for, those that are stored. */
  readonly connections: ConnectionBook;
  readonly voices: VoiceCatalogue;
  readonly secrets: SecretStore;
  /** The network, as the settings have it. */
  readonly http: Http;
  /**
   * Opens the database at the first call, so that nothing reads it before a window is painted; one that could not be opened is tried
   * again by the next call.
   */
  data(): Promise<Data>;
  queue(): Promise<Queue>;
  /** Aborted when `stop` begins. */
  readonly signal: AbortSignal;
  /** Ends calls, jobs, the keychain's process and the engine, and resolves when nothing of them is left. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly clock: Clock;
  readonly random: () => number;
  readonly dataFolder: string;
  readonly spawnService: SpawnService;
  /** Module of a thread: beside the bundle, or the TypeScript file. */
  readonly threadUrl: (name: 'database-worker' | 'history-worker') => URL;
  readonly role: 'app' | 'command';
  /** As they are just now: the way to services on other computers, and how much this computer does at once. */
  readonly settings: () => Pick<Settings, 'proxy' | 'localConcurrency' | 'nameTemplate'>;
  /** Connections beside the local one and those that are stored. */
  readonly remotes?: readonly Connection[];
  onProgress(progress: JobProgress): void;
  onDefect(error: unknown): void;
  /** Called each time the data was opened, before anybody else has it. */
  onData?(data: Data): void;
  /**
   * Called in the app once the whole database was read and is sound, before its jobs go on. One that is damaged is put right first, and
   * opened anew.
   */
  onSound?(data: Data): void;
  /** The database was damaged: what was rescued, or why it could not be put right. */
  onDamage(problem: Problem): void;
  /** Puts a file where the person can get it back. */
  trash(path: string): Promise<void>;
  /** Called with what a service says beside the sound that it made of a text. */
  onSpoken?(message: string | null): void;
}

export function createCore(dependencies: Dependencies): Core {
  const {
    clock,
    dataFolder,
    spawnService,
    threadUrl,
    role,
    settings,
    remotes = [],
    onDefect,
    onDamage,
    onSpoken,
  } = dependencies;
  const stopping = new AbortController();
  const http = createHttp({ proxy: () => settings().proxy });
  const engine = createLocalEngine({ spawnService, dataFolder, onStarting: loadNetwork });
  const keychain = createKeychain({ spawnService, clock });
  const secrets = createSecretStore({ keychain, dataFolder });
  const connections = createConnectionBook(
    http,
    [createLocalConnection(engine, () => settings().localConcurrency), ...remotes],
    clock,
  );
  const chores = createDatabaseChores({ folder: dataFolder, workerUrl: threadUrl('database-worker') });
  let opening: Promise<Data> | undefined;
  const voices = createVoiceCatalogue({
    connections,
    copies: async () => (await data()).voiceCopies,
    clock,
    signal: stopping.signal,
    onDefect,
  });

  async function mend(): Promise<void> {
    const { jobs, lostJobs, keptAs } = await chores.salvage(clock.now());
    onDamage({ code: 'data/damaged', facts: { count: jobs, lost: lostJobs, name: basename(keptAs) } });
  }

  async function openSound(): Promise<DatabaseSync> {
    try {
      return await openDatabase(dataFolder);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'data/damaged') throw error;
      await mend();
      return openDatabase(dataFolder);
    }
  }

  async function open(): Promise<Data> {
    const database = await openSound();
    const stored = createStoredConnections({
      database,
      secrets,
      clock,
      randomId: randomUUID,
      reservedNames: [localConnectionName],
      onDefect,
    });
    // Before the queue: it takes up the jobs of connections that are there.
    stored.list().forEach(connections.put);
    const heard = onSpoken ? hearSpeech(connections, onSpoken) : connections;
    const queue = createQueue(database, { ...dependencies, connections: heard });
    const history = createHistory({
      database,
      clock,
      store: queue.store,
      workerUrl: threadUrl('history-worker'),
      onDefect,
    });
    const data: Data = {
      queue,
      stored,
      voiceCopies: createVoiceCopies(database),
      favourites: createFavouriteVoices(database, clock),
      watch: createWatch({
        ...dependencies,
        database,
        queue,
        connections: heard,
        nameTemplate: () => settings().nameTemplate,
      }),
      history,
      historyFiles: createHistoryFiles({
        ...dependencies,
        database,
        queue,
        connections: heard,
        voices,
        shelf: shelfOf(history, onDefect),
        platform: process.platform,
      }),
    };
    dependencies.onData?.(data);
    return data;
  }

  async function close({ watch, history, historyFiles, queue }: Data): Promise<void> {
    await watch.stop();
    await historyFiles.stop();
    await history.stop();
    await queue.stop();
  }

  async function reopen(damaged: Data): Promise<Data> {
    await close(damaged);
    try {
      await mend();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      onDamage(error.problem);
    }
    return open();
  }

  function keep(data: Promise<Data>): Promise<Data> {
    opening = data.catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  function goOn(data: Data): void {
    dependencies.onSound?.(data);
    data.queue.runner.start();
    data.watch.start();
    data.historyFiles.start().catch(onDefect);
  }

  /** A bad page is found by reading all of them, which nobody waits for but the jobs. */
  async function examine(opened: Data): Promise<void> {
    try {
      const damage = await chores.check();
      if (stopping.signal.aborted) return;
      if (damage !== null) onDefect(new Error(damage));
      goOn(damage === null ? opened : await keep(reopen(opened)));
    } catch (error) {
      if (!stopping.signal.aborted) onDefect(error);
    }
  }

  function data(): Promise<Data> {
    stopping.signal.throwIfAborted();
    if (opening) return opening;
    const opened = keep(open());
    if (role === 'app') void opened.then(examine, () => undefined);
    return opened;
  }

  return {
    connections,
    secrets,
    http,
    voices,
    data,
    queue: async () => (await data()).queue,
    signal: stopping.signal,
    async stop() {
      stopping.abort();
      const opened = await opening?.catch(() => undefined);
      if (opened) await close(opened);
      await chores.stop();
      keychain.stop();
      await Promise.all([engine.stop(), http.close()]);
    },
  };
}
