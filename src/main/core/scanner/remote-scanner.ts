import { systemClock, type Clock } from '../clock.ts';
import { createListeners } from '../events.ts';
import type { ServiceProcess, SpawnService } from '../child-process.ts';
import type { Scanner, ScannerEvent, ScannerRequest, WatchedRoot } from './scanner.ts';

interface Dependencies {
  readonly spawnService: SpawnService;
  readonly clock?: Clock;
  /** Called with what a listener throws. */
  onDefect(error: unknown): void;
}

/** What was asked of a root and not answered yet. */
interface Asked {
  readonly root: WatchedRoot;
  /** What the process knows the root by: another each time that it is watched anew, because news of the time before are still on their way. */
  readonly alias: string;
  readonly considered: Set<string>;
  readonly measured: Set<string>;
}

const firstPauseMs = 1000;
const longestPauseMs = 30_000;
/** A process that lived for so long did not die of how it was started. */
const soundMs = 60_000;
/** How long it may take to end when asked, before it is killed. */
const graceMs = 2000;

const isNews = (message: unknown): message is ScannerEvent =>
  typeof message === 'object' && message !== null && 'kind' in message && 'id' in message;

/**
 * Eyes in a process of their own. The first `watch` starts it; when it dies it is started again after a pause that grows, and is told
 * all that was asked and is not answered. It then tells everything that it sees anew, as on the first look over a root. Of a root that
 * was let go of and is watched again, nothing is told that was seen before.
 */
export function createRemoteScanner({ spawnService, clock = systemClock, onDefect }: Dependencies): Scanner {
  const listeners = createListeners<ScannerEvent>(onDefect);
  const askedOf = new Map<string, Asked>();
  const idOf = new Map<string, string>();
  let aliases = 0;
  const pausing = new AbortController();
  let process: { readonly service: ServiceProcess; readonly ended: Promise<void> } | null = null;
  let pauseMs = firstPauseMs;
  let isPausing = false;
  let stopping: Promise<void> | null = null;

  const send = (request: ScannerRequest) => process?.service.send(request);

  function hear(news: ScannerEvent): void {
    const id = idOf.get(news.id);
    const asked = id === undefined ? undefined : askedOf.get(id);
    // Told before the process heard that nobody wants to know.
    if (id === undefined || !asked || stopping) return;
    if (news.kind === 'stable') asked.considered.delete(news.file.path);
    if (news.kind === 'rejected') asked.considered.delete(news.path);
    if (news.kind === 'deleted') for (const path of news.paths) asked.considered.delete(path);
    if (news.kind === 'durations') for (const { path } of news.files) asked.measured.delete(path);
    listeners.emit({ ...news, id });
  }

  async function startLater(livedMs: number): Promise<void> {
    if (livedMs >= soundMs) pauseMs = firstPauseMs;
    isPausing = true;
    try {
      await clock.sleep(pauseMs, pausing.signal);
    } catch {
      // Stopped meanwhile.
      return;
    }
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    isPausing = false;
    if (askedOf.size > 0) start();
  }

  function start(): void {
    const startedAt = clock.now();
    const service = spawnService('scanner');
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    process = { service, ended };
    service.onMessage((message) => {
      if (process?.service === service && isNews(message)) hear(message);
    });
    service.onExit(() => {
      resolve();
      if (process?.service !== service) return;
      process = null;
      if (!stopping) void startLater(clock.now() - startedAt);
    });
    for (const asked of askedOf.values()) {
      const { alias: id, considered, measured } = asked;
      send({ type: 'watch', root: plain(asked) });
      if (considered.size > 0) send({ type: 'await-stable', id, paths: [...considered] });
      if (measured.size > 0) send({ type: 'probe-durations', id, paths: [...measured] });
    }
  }

  async function end(): Promise<void> {
    pausing.abort(new Error('stopped'));
    const last = process;
    if (!last) return;
    last.service.send({ type: 'stop' } satisfies ScannerRequest);
    const grace = setTimeout(() => last.service.kill(), graceMs);
    await last.ended;
    clearTimeout(grace);
  }

  return {
    watch(root) {
      if (stopping) return;
      const before = askedOf.get(root.id);
      const asked: Asked = {
        root,
        alias: before?.alias ?? `${root.id}/${++aliases}`,
        considered: before?.considered ?? new Set(),
        measured: before?.measured ?? new Set(),
      };
      askedOf.set(root.id, asked);
      idOf.set(asked.alias, root.id);
      if (process) send({ type: 'watch', root: plain(asked) });
      else if (!isPausing) start();
    },
    unwatch(id) {
      const asked = askedOf.get(id);
      if (!asked) return;
      askedOf.delete(id);
      idOf.delete(asked.alias);
      send({ type: 'unwatch', id: asked.alias });
    },
    awaitStable(id, paths) {
      const asked = askedOf.get(id);
      if (!asked) return;
      for (const path of paths) asked.considered.add(path);
      send({ type: 'await-stable', id: asked.alias, paths: [...paths] });
    },
    probeDurations(id, paths) {
      const asked = askedOf.get(id);
      if (!asked) return;
      for (const path of paths) asked.measured.add(path);
      send({ type: 'probe-durations', id: asked.alias, paths: [...paths] });
    },
    rescan: () => send({ type: 'rescan' }),
    onEvent: listeners.add,
    stop: () => (stopping ??= end()),
  };
}

const plain = ({ root, alias }: Asked) => ({
  ...root,
  id: alias,
  endings: [...root.endings],
  excluded: [...root.excluded],
});
