import { systemClock, type Clock } from '../clock.ts';
import { createListeners } from '../events.ts';
import type { ServiceProcess, SpawnService } from '../child-process.ts';
import type { Scanner, ScannerEvent, ScannerRequest, WatchedRoot } from './scanner.ts';

interface Dependencies {
  readonly spawnService: SpawnService;
  readonly clock?: Clock;
  /** Called with what a listener throws, and if the process cannot be started. */
  onDefect(error: unknown): void;
}

/** A root with its requests that are not answered yet. */
interface PendingRequests {
  readonly root: WatchedRoot;
  /** Id of the root in the process. New each time it is watched again, to drop late events of the time before. */
  readonly alias: string;
  readonly awaitingStable: Set<string>;
  readonly awaitingDuration: Set<string>;
}

const minRestartDelayMs = 1000;
const maxRestartDelayMs = 30_000;
/** A process that ran this long did not fail to start, so the delay starts over. */
const healthyRunMs = 60_000;
/** Time to exit after a stop request before the process is killed. */
const stopGraceMs = 2000;

const isScannerEvent = (message: unknown): message is ScannerEvent =>
  typeof message === 'object' && message !== null && 'kind' in message && 'id' in message;

/**
 * The scanner in its own process, which the first `watch` starts. When it dies it is restarted after a growing delay with all requests
 * that are not answered, and reports every file again. After `unwatch` and `watch`, events from before are dropped.
 */
export function createRemoteScanner({ spawnService, clock = systemClock, onDefect }: Dependencies): Scanner {
  const listeners = createListeners<ScannerEvent>(onDefect);
  const pendingById = new Map<string, PendingRequests>();
  const idByAlias = new Map<string, string>();
  let aliases = 0;
  const restartDelay = new AbortController();
  let process: { readonly service: ServiceProcess; readonly ended: Promise<void> } | null = null;
  let restartDelayMs = minRestartDelayMs;
  let isRestarting = false;
  let stopping: Promise<void> | null = null;

  const send = (request: ScannerRequest) => process?.service.send(request);

  function onScannerEvent(event: ScannerEvent): void {
    const id = idByAlias.get(event.id);
    const pending = id === undefined ? undefined : pendingById.get(id);
    // Sent before the process received `unwatch`.
    if (id === undefined || !pending || stopping) return;
    if (event.kind === 'stable') pending.awaitingStable.delete(event.file.path);
    if (event.kind === 'rejected') pending.awaitingStable.delete(event.path);
    if (event.kind === 'deleted') for (const path of event.paths) pending.awaitingStable.delete(path);
    if (event.kind === 'durations') for (const { path } of event.files) pending.awaitingDuration.delete(path);
    listeners.emit({ ...event, id });
  }

  async function restart(runMs: number): Promise<void> {
    if (runMs >= healthyRunMs) restartDelayMs = minRestartDelayMs;
    isRestarting = true;
    try {
      await clock.sleep(restartDelayMs, restartDelay.signal);
    } catch {
      // Stopped meanwhile.
      return;
    }
    restartDelayMs = Math.min(restartDelayMs * 2, maxRestartDelayMs);
    isRestarting = false;
    if (pendingById.size > 0) start();
  }

  function start(): void {
    const startedAt = clock.now();
    let service: ServiceProcess;
    try {
      service = spawnService('scanner');
    } catch (error) {
      // There may be too many processes or too little memory only for now.
      onDefect(error);
      void restart(0);
      return;
    }
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    process = { service, ended };
    service.onMessage((message) => {
      if (process?.service === service && isScannerEvent(message)) onScannerEvent(message);
    });
    service.onExit(() => {
      resolve();
      if (process?.service !== service) return;
      process = null;
      if (!stopping) void restart(clock.now() - startedAt);
    });
    for (const pending of pendingById.values()) {
      const { alias: id, awaitingStable, awaitingDuration } = pending;
      send({ type: 'watch', root: toMessage(pending) });
      if (awaitingStable.size > 0) send({ type: 'await-stable', id, paths: [...awaitingStable] });
      if (awaitingDuration.size > 0) send({ type: 'probe-durations', id, paths: [...awaitingDuration] });
    }
  }

  async function stop(): Promise<void> {
    restartDelay.abort(new Error('stopped'));
    const running = process;
    if (!running) return;
    running.service.send({ type: 'stop' } satisfies ScannerRequest);
    const grace = setTimeout(() => running.service.kill(), stopGraceMs);
    await running.ended;
    clearTimeout(grace);
  }

  return {
    watch(root) {
      if (stopping) return;
      const before = pendingById.get(root.id);
      const pending: PendingRequests = {
        root,
        alias: before?.alias ?? `${root.id}/${++aliases}`,
        awaitingStable: before?.awaitingStable ?? new Set(),
        awaitingDuration: before?.awaitingDuration ?? new Set(),
      };
      pendingById.set(root.id, pending);
      idByAlias.set(pending.alias, root.id);
      if (process) send({ type: 'watch', root: toMessage(pending) });
      else if (!isRestarting) start();
    },
    unwatch(id) {
      const pending = pendingById.get(id);
      if (!pending) return;
      pendingById.delete(id);
      idByAlias.delete(pending.alias);
      send({ type: 'unwatch', id: pending.alias });
    },
    awaitStable(id, paths) {
      const pending = pendingById.get(id);
      if (!pending) return;
      for (const path of paths) pending.awaitingStable.add(path);
      send({ type: 'await-stable', id: pending.alias, paths: [...paths] });
    },
    probeDurations(id, paths) {
      const pending = pendingById.get(id);
      if (!pending) return;
      for (const path of paths) pending.awaitingDuration.add(path);
      send({ type: 'probe-durations', id: pending.alias, paths: [...paths] });
    },
    rescan: () => send({ type: 'rescan' }),
    onEvent: listeners.add,
    stop: () => (stopping ??= stop()),
  };
}

const toMessage = ({ root, alias }: PendingRequests) => ({
  ...root,
  id: alias,
  endings: [...root.endings],
  excluded: [...root.excluded],
});
