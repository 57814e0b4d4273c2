import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { connectionSchema } from '../../../shared/schemas/connection.ts';
import type { ServiceProcess, SpawnService } from '../child-process.ts';
import { unlessAborted } from '../clock.ts';
import type { Access, Connection } from '../voice-service/connection.ts';

export interface LocalEngine {
  /** The engine's present address and token; starts it when it does not run. */
  access(signal: AbortSignal): Promise<Access>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly spawnService: SpawnService;
  readonly dataFolder: string;
  /** How long a start may take. Loading the sound code takes some 300 ms; a machine under load may need much more. */
  readonly startTimeoutMs?: number;
  /** How long it may take to end when asked, before it is killed. */
  readonly graceMs?: number;
  /** Called when a start has begun and nothing is left but to wait for it. */
  onStarting?(): void;
}

const engineMessage = v.variant('type', [
  v.object({ type: v.literal('listening'), origin: v.string(), token: v.string() }),
  v.object({ type: v.literal('failed'), message: v.string() }),
]);

interface Running {
  readonly process: ServiceProcess;
  readonly access: Promise<Access>;
  readonly ended: Promise<void>;
}

/**
 * The engine on this computer: a process of its own that is started by the first call which needs it, and started again by the next
 * one when it died. `stop` ends it and makes every later call fail.
 */
export function createLocalEngine({
  spawnService,
  dataFolder,
  startTimeoutMs = 30_000,
  graceMs = 2_000,
  onStarting,
}: Dependencies): LocalEngine {
  let running: Running | undefined;
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
        if (running?.process === process) running = undefined;
        exited();
      });
      process.onMessage((raw) => {
        const parsed = v.safeParse(engineMessage, raw);
        if (!parsed.success) return;
        clearTimeout(deadline);
        if (parsed.output.type === 'failed') return reject(notStarted(parsed.output.message));
        const { origin, token } = parsed.output;
        resolve({ hosts: { voice: origin, upload: origin, converter: origin, models: origin, sample: origin }, token });
      });
    });
    // Whoever asked hears of it; a start that nobody waits for any more is no unhandled rejection.
    access.catch(() => undefined);
    process.send({ type: 'start', dataDirectory: dataFolder });
    onStarting?.();
    return { process, access, ended };
  }

  return {
    async access(signal) {
      signal.throwIfAborted();
      if (stopped) throw notStarted('the engine was stopped');
      running ??= start();
      const { access } = running;
      return unlessAborted(access, signal);
    },
    async stop() {
      stopped = true;
      const last = running;
      if (!last) return;
      last.process.send({ type: 'stop' });
      const grace = setTimeout(() => last.process.kill(), graceMs);
      await last.ended;
      clearTimeout(grace);
    },
  };
}

export const localConnectionId = 'local';

/** As it is called in documents and on the command line; the window has its own word in each language. */
export const localConnectionName = 'This computer';

/**
 * "This computer": exists from the first start and needs no account. It stores no address, because the engine listens on another
 * port each time, and it may repeat a conversion whose answer was lost, because the engine keeps what it finished.
 */
export function createLocalConnection(engine: LocalEngine, concurrency: () => number): Connection {
  const document = v.parse(connectionSchema, {
    name: localConnectionName,
    hosts: { voice: '', upload: '' },
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
