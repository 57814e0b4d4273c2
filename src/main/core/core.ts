import { randomUUID } from 'node:crypto';
import type { JobProgress } from '../../shared/wire/job.ts';
import type { Clock } from './clock.ts';
import { createConnectionBook, type ConnectionBook } from './connections/connection-book.ts';
import { createLocalConnection } from './connections/local-connection.ts';
import { createLocalEngine } from './connections/local-engine.ts';
import { createIntake, type Intake } from './jobs/intake.ts';
import type { JobStore } from './jobs/job-store.ts';
import { createMemoryJobStore } from './jobs/memory-job-store.ts';
import { createRunner, type Runner } from './jobs/runner.ts';
import type { SpawnService } from './spawn-service.ts';
import { createVoiceCatalogue, type VoiceCatalogue } from './voices/voice-catalogue.ts';
import type { Connection } from './voice-service/connection.ts';
import { createHttp } from './voice-service/http.ts';

/** Timbre without a window: what the app and the command line have in common. */
export interface Core {
  readonly connections: ConnectionBook;
  readonly voices: VoiceCatalogue;
  readonly store: JobStore;
  readonly intake: Intake;
  readonly runner: Runner;
  /** Aborted when `stop` begins. */
  readonly signal: AbortSignal;
  start(): void;
  /** Ends calls, jobs and the engine, in this order, and resolves when nothing of them is left. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly clock: Clock;
  readonly dataFolder: string;
  readonly spawnService: SpawnService;
  /** Connections beside the local one. */
  readonly remotes?: readonly Connection[];
  onProgress(progress: JobProgress): void;
  onDefect(error: unknown): void;
}

export function createCore(dependencies: Dependencies): Core {
  const { clock, dataFolder, spawnService, remotes = [], onProgress, onDefect } = dependencies;
  const stopping = new AbortController();
  const http = createHttp();
  const engine = createLocalEngine({ spawnService, dataFolder });
  const connections = createConnectionBook(http, [createLocalConnection(engine), ...remotes]);
  const store = createMemoryJobStore({ clock });
  const runner = createRunner({ store, connections, onProgress, onDefect });
  return {
    connections,
    store,
    runner,
    voices: createVoiceCatalogue(connections, stopping.signal),
    intake: createIntake({ store, randomId: randomUUID, now: clock.now }),
    signal: stopping.signal,
    start: runner.start,
    async stop() {
      stopping.abort();
      await runner.stop();
      await Promise.all([engine.stop(), http.close()]);
    },
  };
}
