import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { connectionSchema, localConnectionId } from '../../../shared/schemas/connection.ts';
import type { ServiceProcess, SpawnService } from '../child-process.ts';
import { unlessAborted } from '../clock.ts';
import type { Access, Connection } from '../voice-service/connection.ts';

interface LocalEngine {
  /** Returns the engine's current address and token; starts it if necessary. */
  access(signal: AbortSignal): Promise<Access>;
  /** True for the address of the running engine. */
  isOrigin(origin: string): boolean;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly spawnService: SpawnService;
  readonly dataFolder: string;
  /** Start timeout. Loading the audio code takes about 300 ms; a machine under load may need much longer. */
  readonly startTimeoutMs?: number;
  /** Time to exit after a request before it is killed. */
  readonly graceMs?: number;
  /** Time after the last call until it is ended: it keeps some 300 MB of audio code and models. */
  readonly idleMs?: number;
  /** Called once a start only has to wait for the process. */
  onStarting?(): void;
}

const engineMessage = v.variant('type', [
  v.object({ type: v.literal('listening'), origin: v.string(), token: v.string() }),
  v.object({ type: v.literal('failed'), message: v.string() }),
]);

interface Running {
  readonly process: ServiceProcess;
  /** Empty until it listens. */
  origin: string;
  readonly access: Promise<Access>;
  readonly ended: Promise<void>;
}

/**
 * The local engine: a separate process, started by the first call that needs it and restarted by
 * the next call after it died, or ended because nothing needed it. `stop` ends it; later calls fail.
 */
export function createLocalEngine({
  spawnService,
  dataFolder,
  startTimeoutMs = 30_000,
  graceMs = 2_000,
  idleMs = 600_000,
  onStarting,
}: Dependencies): LocalEngine {
  let running: Running | undefined;
  /** With those that answer a last call. */
  const alive = new Set<Running>();
  let idleTimer: NodeJS.Timeout | undefined;
  let stopped = false;

  const notStarted = (why: string) => new AppError('engine/not-started', why);

  function spawn(): ServiceProcess {
    try {
      return spawnService('engine');
    } catch (error) {
      throw notStarted(`it cannot be started: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function start(): Running {
    const process = spawn();
    let exited!: () => void;
    const ended = new Promise<void>((resolve) => (exited = resolve));
    const access = new Promise<Access>((resolve, reject) => {
      const deadline = setTimeout(() => {
        process.kill();
        reject(notStarted(`no answer within ${startTimeoutMs} ms`));
      }, startTimeoutMs);
      process.onExit(() => {
        clearTimeout(deadline);
        reject(notStarted('the engine ended before it listened'));
        if (running === engine) running = undefined;
        alive.delete(engine);
        exited();
      });
      process.onMessage((raw) => {
        const parsed = v.safeParse(engineMessage, raw);
        if (!parsed.success) return;
        clearTimeout(deadline);
        if (parsed.output.type === 'failed') return reject(notStarted(parsed.output.message));
        const { origin, token } = parsed.output;
        engine.origin = origin;
        resolve({ hosts: { voice: origin, upload: origin, converter: origin, models: origin, sample: origin }, token });
      });
    });
    // Callers handle the error; without callers it must not become an unhandled rejection.
    access.catch(() => undefined);
    process.send({ type: 'start', dataDirectory: dataFolder });
    onStarting?.();
    const engine: Running = { process, access, ended, origin: '' };
    alive.add(engine);
    return engine;
  }

  /** The engine first answers a call that has taken this long. */
  function endIdle(): void {
    running?.process.send({ type: 'drain' });
    running = undefined;
  }

  return {
    async access(signal) {
      signal.throwIfAborted();
      if (stopped) throw notStarted('the engine was stopped');
      running ??= start();
      clearTimeout(idleTimer);
      idleTimer = setTimeout(endIdle, idleMs).unref();
      const { access } = running;
      return unlessAborted(access, signal);
    },
    isOrigin: (origin) => origin !== '' && running?.origin === origin,
    async stop() {
      stopped = true;
      clearTimeout(idleTimer);
      await Promise.all(
        [...alive].map(async ({ process, ended }) => {
          process.send({ type: 'stop' });
          const grace = setTimeout(() => process.kill(), graceMs);
          await ended;
          clearTimeout(grace);
        }),
      );
    },
  };
}

/** Its name in documents and on the command line; the window translates it. */
export const localConnectionName = 'This computer';

/**
 * The connection "This computer": it always exists and needs no account. It stores no address,
 * because the engine's port changes with each start. A conversion whose response was lost may be
 * repeated, because the engine keeps finished results.
 */
export function createLocalConnection(engine: LocalEngine, concurrency: () => number): Connection {
  const document = v.parse(connectionSchema, {
    name: localConnectionName,
    hosts: { voice: '', upload: '' },
    uploadFormats: 'decodable',
    ranges: { pitch: { min: 0.25, max: 4, default: 1 }, speed: { min: 0.25, max: 4, default: 1 } },
    unknownOutcome: 'repeat',
  });
  return {
    id: localConnectionId,
    kind: 'local',
    get document() {
      return { ...document, limits: { ...document.limits, maxConcurrent: concurrency() } };
    },
    access: (signal) => engine.access(signal),
  };
}
