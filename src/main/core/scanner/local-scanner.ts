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
  readonly platform?: NodeJS.Platform;
  readonly findWriters?: FindWriters;
  /** Where hints come from. */
  readonly listenTo?: typeof createFsEvents;
  /** Between two looks over everything that is there, where hints come: a minute. */
  readonly rescanMs?: number;
}

interface Watched {
  readonly root: WatchedRoot;
  readonly supervisor: RootMonitor;
}

/** Eyes in this process. A root that is watched again under its id is looked at from the beginning; its files at the gate stay there. */
export function createLocalScanner({
  clock = systemMonotonicClock,
  platform = process.platform,
  findWriters = createFindWriters(platform),
  listenTo = createFsEvents,
  rescanMs = defaultRescanMs,
}: Dependencies = {}): Scanner {
  const listeners = createListeners<ScannerEvent>();
  const watched = new Map<string, Watched>();
  const endings = new Set<Promise<void>>();
  let stopping: Promise<void> | null = null;

  const tell = (news: ScannerEvent) => {
    if (!stopping) listeners.emit(news);
  };
  const gate = createStabilityGate({ clock, findWriters, tell, platform });
  const measuring = createDurationProbe({
    platform,
    onMeasured: (id, files) => tell({ kind: 'durations', id, files }),
  });
  const rescan = () => {
    for (const { supervisor } of watched.values()) supervisor.lookNow();
  };
  const lateness = detectStalls(clock, rescan);

  function end(id: string): void {
    const ended = watched.get(id)?.supervisor.stop();
    watched.delete(id);
    if (!ended) return;
    const tracked = ended.finally(() => endings.delete(tracked));
    endings.add(tracked);
  }

  async function stopAll(): Promise<void> {
    lateness.stop();
    for (const id of [...watched.keys()]) end(id);
    await Promise.all([gate.stop(), measuring.stop(), ...endings]);
  }

  return {
    watch(root) {
      if (stopping) return;
      end(root.id);
      watched.set(root.id, {
        root,
        supervisor: monitorRoot({ root, platform, clock, gate, listenTo, rescanMs, tell }),
      });
    },
    unwatch(id) {
      end(id);
      gate.removeRoot(id);
      measuring.cancel(id);
    },
    awaitStable: gate.consider,
    probeDurations(id, paths) {
      const root = watched.get(id)?.root;
      if (root) measuring.measure(id, root.path, paths);
    },
    rescan,
    onEvent: listeners.add,
    stop: () => (stopping ??= stopAll()),
  };
}
