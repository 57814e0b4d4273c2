import type { JobProgress } from '../../shared/wire/job.ts';
import type { Clock } from './clock.ts';
import { createConnectionBook, type ConnectionBook } from './connections/connection-book.ts';
import { createLocalConnection } from './connections/local-connection.ts';
import { createLocalEngine } from './connections/local-engine.ts';
import { openQueue, type Queue } from './jobs/open-queue.ts';
import type { SpawnService } from './spawn-service.ts';
import { createVoiceCatalogue, type VoiceCatalogue } from './voices/voice-catalogue.ts';
import type { Connection } from './voice-service/connection.ts';
import { createHttp } from './voice-service/http.ts';

/** Timbre without a window: what the app and the command line have in common. */
export interface Core {
  readonly connections: ConnectionBook;
  readonly voices: VoiceCatalogue;
  /**
   * The jobs. Opens the database at the first call, so that nothing reads it before a window is painted; one that could not be opened
   * is tried again by the next call.
   */
  queue(): Promise<Queue>;
  /** Aborted when `stop` begins. */
  readonly signal: AbortSignal;
  /** Ends calls, jobs and the engine, in this order, and resolves when nothing of them is left. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly clock: Clock;
  readonly random: () => number;
  readonly dataFolder: string;
  readonly spawnService: SpawnService;
  readonly role: 'app' | 'command';
  /** The way to services on other computers, as the setting has it; asked at each connection. */
  readonly proxy: () => string;
  /** Connections beside the local one. */
  readonly remotes?: readonly Connection[];
  onProgress(progress: JobProgress): void;
  onDefect(error: unknown): void;
  /** Called each time the queue was opened, before anybody else has it. */
  onQueue?(queue: Queue): void;
}

export function createCore(dependencies: Dependencies): Core {
  const { clock, dataFolder, spawnService, remotes = [] } = dependencies;
  const stopping = new AbortController();
  const http = createHttp({ proxy: dependencies.proxy });
  const engine = createLocalEngine({ spawnService, dataFolder });
  const connections = createConnectionBook(http, [createLocalConnection(engine), ...remotes], clock);
  let opening: Promise<Queue> | undefined;

  function queue(): Promise<Queue> {
    stopping.signal.throwIfAborted();
    opening ??= openQueue({ ...dependencies, connections }).then(
      (opened) => {
        dependencies.onQueue?.(opened);
        return opened;
      },
      (error: unknown) => {
        opening = undefined;
        throw error;
      },
    );
    return opening;
  }

  return {
    connections,
    voices: createVoiceCatalogue(connections, stopping.signal),
    queue,
    signal: stopping.signal,
    async stop() {
      stopping.abort();
      const opened = await opening?.catch(() => undefined);
      await opened?.stop();
      await Promise.all([engine.stop(), http.close()]);
    },
  };
}
