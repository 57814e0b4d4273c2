import { basename } from 'node:path';
import { AppError, type Problem } from '../../shared/errors.ts';
import { isWithin } from './clock.ts';
import { createConnectionRegistry, type ConnectionRegistry } from './connections/connection-registry.ts';
import { createLocalConnection, createLocalEngine } from './connections/local-engine.ts';
import { createIntegrityClient } from './database/integrity.ts';
import { ensurePrivateFolder } from './data-folder.ts';
import type { EventLogger } from './diagnostics/event-logger.ts';
import { createFfmpeg, type Ffmpeg } from './find-ffmpeg.ts';
import type { Log } from './diagnostics/log.ts';
import type { Queue } from './jobs/queue.ts';
import type { Data, DataDependencies } from './data.ts';
import type { PortableData } from './portable.ts';
import { createKeychain } from './secrets/keychain.ts';
import { createSecretStore, type SecretStore } from './secrets/secret-store.ts';
import { createVoiceCatalogue, type VoiceCatalogue } from './voices/voice-catalogue.ts';
import type { Connection } from './voice-service/connection.ts';
import { loadNetwork } from './voice-service/agents.ts';
import { createHttp, type Http } from './voice-service/http.ts';

/** Timbre without a window: what the app and the command line share. */
export interface Core {
  /** The local connection, the given ones, and, after the first call of `data`, the stored ones. */
  readonly connections: ConnectionRegistry;
  readonly voices: VoiceCatalogue;
  readonly secrets: SecretStore;
  /** HTTP client with the proxy from the settings. */
  readonly http: Http;
  readonly ffmpeg: Ffmpeg;
  /**
   * Opens the database on the first call, so that it does not delay the first paint. If that fails, the next
   * call tries again.
   */
  data(): Promise<Data>;
  queue(): Promise<Queue>;
  /** Aborted when `stop` begins. */
  readonly signal: AbortSignal;
  /**
   * Starts nothing more, ends calls, jobs, the keychain process and the engine, and resolves when all have
   * ended. Idempotent.
   */
  stop(): Promise<void>;
}

interface Dependencies extends Omit<DataDependencies, 'ffmpeg'> {
  /** Connections besides the local and the stored ones. */
  readonly remotes?: readonly Connection[];
  /** Called each time the data is opened, before any other code receives it. */
  onData?(data: Data): void;
  /** Called in the app before its jobs continue: once the database is verified, or the check takes too long. */
  onVerified?(data: Data): void;
  /** Records what happens. It receives each token before any other code does, so that it can redact it. */
  readonly log?: Log;
  /** True after several crashes: nothing of the data starts by itself. */
  readonly isSafe?: boolean;
  /** Set if the data is portable. */
  readonly portable?: PortableData | null;
  /**
   * Reports a damaged database, with what was salvaged or why repair failed, one that could not be checked, one that can
   * only be read, or portable data that is new on this computer.
   */
  onDamage(problem: Problem): void;
}

/** Nothing in the data starts by itself: it may not be this user's, or it may be what ends Timbre. */
function holdWork({ queue, watch }: Data): void {
  if (queue.store.hasUnfinished()) queue.scheduler.pause();
  for (const { folder } of watch.listFolders()) watch.setPaused(folder.id, true);
}

/** Jobs wait no longer than this for the integrity check of a large database. */
const maxCheckWaitMs = 5000;
/** Minimum interval between checks for damage that shows up in use but that no check finds. */
const recheckIntervalMs = 60_000;

export function createCore(dependencies: Dependencies): Core {
  const {
    clock,
    dataFolder,
    spawnService,
    threadUrl,
    role,
    settings,
    remotes = [],
    log,
    onDefect,
    onDamage,
    portable = null,
    isSafe = false,
  } = dependencies;
  ensurePrivateFolder(dataFolder);
  const stopping = new AbortController();
  /** The data can only be read, and nothing of it is sent. */
  let isReadOnly = false;
  const engine = createLocalEngine({ spawnService, dataFolder, onStarting: loadNetwork });
  let logger: Promise<EventLogger> | undefined;
  /** Not needed before the first paint. */
  const loadLogger = (to: Log): Promise<EventLogger> =>
    (logger ??= import('./diagnostics/event-logger.ts').then(({ createEventLogger }) =>
      createEventLogger({ log: to, clock }),
    ));
  const http = createHttp({
    proxy: () => settings().proxy,
    isAllowed: (origin) => !(settings().isOfflineMode || isReadOnly) || engine.isOrigin(origin),
    ...(log && {
      onFailure: (failure) => void loadLogger(log).then(({ onNetworkFailure }) => onNetworkFailure(failure), onDefect),
    }),
  });
  const keychain = createKeychain({ spawnService, clock });
  const store = createSecretStore({
    keychain,
    dataFolder: portable?.computerFolder ?? dataFolder,
    hasFiles: portable === null,
  });
  const secrets: SecretStore = {
    ...store,
    async get(account) {
      const secret = await store.get(account);
      if (secret) log?.addToken(secret.token);
      return secret;
    },
    set(account, secret, intent) {
      log?.addToken(secret.token);
      return store.set(account, secret, intent);
    },
  };
  const connections = createConnectionRegistry(
    http,
    [createLocalConnection(engine, () => settings().localConcurrency), ...remotes],
    clock,
  );
  const ffmpeg = createFfmpeg({
    selected: () => settings().ffmpegPath,
    platform: process.platform,
    env: process.env,
    now: () => performance.now(),
  });
  const integrity = createIntegrityClient({ folder: dataFolder, workerUrl: threadUrl('integrity-worker') });
  let opening: Promise<Data> | undefined;
  /** The data whose jobs were started. */
  let working: Data | undefined;
  let isChecking = false;
  let lastRecheckAt = -Infinity;
  let stopped: Promise<void> | undefined;
  const voices = createVoiceCatalogue({
    connections,
    cache: async () => (await data()).voiceCache,
    clock,
    signal: stopping.signal,
    onDefect,
  });

  async function repair(): Promise<void> {
    const { jobs, lostJobs, keptAs } = await integrity.salvage(clock.now());
    onDamage({
      code: 'data/damaged',
      facts: { count: jobs, ...(lostJobs !== null && { lost: lostJobs }), name: basename(keptAs) },
    });
  }

  function holdNewWork(data: Data): void {
    if (portable?.isNew()) {
      holdWork(data);
      portable.remember();
      onDamage({ code: 'data/new-here' });
    }
    if (isSafe) {
      holdWork(data);
      onDamage({ code: 'data/safe-start' });
    }
  }

  async function open(): Promise<Data> {
    const { openData } = await import('./data.ts');
    const events = log && (await loadLogger(log));
    const data = await openData({ ...dependencies, ffmpeg: ffmpeg.find, connections, voices, secrets, repair });
    isReadOnly = data.refusal !== null;
    if (data.refusal) onDamage(data.refusal.problem);
    else holdNewWork(data);
    events?.follow({ ...data, connections });
    dependencies.onData?.(data);
    if (role === 'app') data.queue.writes.onDamage(() => verifyAgain(data));
    return data;
  }

  async function reopen(damaged: Data): Promise<Data> {
    const replies = damaged.queue.scheduler.unsavedReplies();
    await damaged.close();
    try {
      await repair();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      onDamage(error.problem);
    }
    const data = await open();
    data.queue.scheduler.restoreReplies(replies);
    return data;
  }

  function setOpening(data: Promise<Data>): Promise<Data> {
    opening = data.catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  function startWork(data: Data): void {
    // It may have been stopped while the data was opened again.
    if (working === data || stopping.signal.aborted) return;
    working = data;
    dependencies.onVerified?.(data);
    data.queue.scheduler.start();
    data.watch.start();
    data.presets.start();
    data.copies.start();
    data.hooks.start();
    data.historyFiles.start().catch(onDefect);
    data.previews.sweep().catch(onDefect);
  }

  /**
   * Reads all pages, the only way to find a bad one. Only the jobs wait for it, and not for long: if it is slow
   * they start beside it, and if it fails, that is reported and they start anyway.
   */
  async function verifyIntegrity(opened: Data): Promise<void> {
    const waiting = new AbortController();
    const timeout = clock.sleep(maxCheckWaitMs, AbortSignal.any([stopping.signal, waiting.signal])).then(
      () => startWork(opened),
      () => undefined,
    );
    const damage = await integrity.check(clock.now()).catch((error: unknown) => {
      if (stopping.signal.aborted) return null;
      onDefect(error);
      onDamage({ code: 'data/unchecked' });
      return null;
    });
    waiting.abort();
    await timeout;
    if (stopping.signal.aborted) return;
    if (damage === null) {
      startWork(opened);
      return;
    }
    onDefect(new Error(damage));
    // A service charges for each, and its answer outlives the repair.
    await opened.queue.scheduler.finishPaidCalls(stopping.signal);
    const repaired = setOpening(reopen(opened));
    opened.queue.submitJobs.continueIn(repaired.then(({ queue }) => queue.submitJobs));
    startWork(await repaired);
  }

  /** Checks again when damage shows while the data is in use. */
  function verifyAgain(opened: Data): void {
    if (isChecking || opened.signal.aborted || isWithin(recheckIntervalMs, lastRecheckAt, clock.now())) return;
    lastRecheckAt = clock.now();
    startCheck(opened);
  }

  function startCheck(opened: Data): void {
    isChecking = true;
    verifyIntegrity(opened)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onDefect(error);
      })
      .finally(() => (isChecking = false));
  }

  function data(): Promise<Data> {
    stopping.signal.throwIfAborted();
    if (opening) return opening;
    const opened = setOpening(open());
    if (role === 'app') {
      // What is only read is neither repaired nor worked on.
      opened.then(
        (data) => {
          if (!data.refusal) startCheck(data);
        },
        () => undefined,
      );
    }
    return opened;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    const opened = await opening?.catch(() => undefined);
    await opened?.close();
    await integrity.stop();
    keychain.stop();
    await Promise.all([engine.stop(), http.close()]);
  }

  return {
    connections,
    secrets,
    http,
    ffmpeg,
    voices,
    data,
    queue: async () => (await data()).queue,
    signal: stopping.signal,
    stop: () => (stopped ??= stop()),
  };
}
