import { createListeners } from '../events.ts';
import type { Scanner, ScannerEvent, WatchedRoot } from './scanner.ts';
import { createStabilityGate } from './stability-gate.ts';
import { createFsEvents } from './fs-events.ts';
import { type MonotonicClock, systemMonotonicClock, detectStalls } from '../clock.ts';
import { createDurationProbe } from './duration-probe.ts';
import { defaultRescanMs, monitorRoot, type RootMonitor } from './root-monitor.ts';
import { createFindWriters, type FindWriters } from './open-writers.ts';

interface Dependencies {
  readonly clock?: MonotonicClock;
  readonly findWriters?: FindWriters;
  readonly createEvents?: typeof createFsEvents;
  /** Between two full scans of a root that has file system events: a minute by default. */
  readonly rescanMs?: number;
}

interface MonitoredRoot {
  readonly root: WatchedRoot;
  readonly monitor: RootMonitor;
}

/** The scanner in this process. A root that is watched again is scanned from the start; its files stay at the gate. */
export function createLocalScanner({
  clock = systemMonotonicClock,
  findWriters = createFindWriters(process.platform),
  createEvents = createFsEvents,
  rescanMs = defaultRescanMs,
}: Dependencies = {}): Scanner {
  const { platform } = process;
  const listeners = createListeners<ScannerEvent>();
  const monitored = new Map<string, MonitoredRoot>();
  /** Monitors that are stopping, by path: the next one of a folder waits for its lock. */
  const ending = new Map<Promise<void>, string>();
  let stopping: Promise<void> | null = null;

  const emit = (event: ScannerEvent) => {
    if (!stopping) listeners.emit(event);
  };
  const gate = createStabilityGate({ clock, findWriters, emit, platform });
  const durations = createDurationProbe({
    platform,
    onDurations: (id, files) => emit({ kind: 'durations', id, files }),
  });
  const rescan = () => {
    for (const { monitor } of monitored.values()) monitor.rescan();
  };
  const stalls = detectStalls(clock, rescan);

  function end(id: string): void {
    const ended = monitored.get(id);
    monitored.delete(id);
    if (!ended) return;
    const tracked = ended.monitor.stop().finally(() => ending.delete(tracked));
    ending.set(tracked, ended.root.path);
  }

  async function stop(): Promise<void> {
    stalls.stop();
    for (const id of [...monitored.keys()]) end(id);
    await Promise.all([gate.stop(), durations.stop(), ...ending.keys()]);
  }

  return {
    watch(root) {
      if (stopping) return;
      end(root.id);
      const before = [...ending].flatMap(([ended, path]) => (path === root.path ? [ended] : []));
      monitored.set(root.id, {
        root,
        monitor: monitorRoot({
          root,
          platform,
          clock,
          gate,
          createEvents,
          rescanMs,
          emit,
          before: Promise.all(before),
        }),
      });
    },
    unwatch(id) {
      end(id);
      gate.removeRoot(id);
      durations.cancel(id);
    },
    awaitStable: gate.add,
    probeDurations(id, paths) {
      const root = monitored.get(id)?.root;
      if (root) durations.add(id, root.path, paths);
    },
    rescan,
    onEvent: listeners.add,
    stop: () => (stopping ??= stop()),
  };
}
