import { createListeners } from '../events.ts';
import type { Eyes, EyesNews, WatchedRoot } from './scanner.ts';
import { createGate } from './stability-gate.ts';
import { createHints } from './fs-events.ts';
import { type SteadyClock, systemSteadyClock, watchLateness } from '../clock.ts';
import { createMeasuring } from './duration-probe.ts';
import { defaultRescanMs, superviseRoot, type RootSupervisor } from './root-monitor.ts';
import { createFindWriters, type FindWriters } from './open-writers.ts';

interface Dependencies {
  readonly clock?: SteadyClock;
  readonly platform?: NodeJS.Platform;
  readonly findWriters?: FindWriters;
  /** Where hints come from. */
  readonly listenTo?: typeof createHints;
  /** Between two looks over everything that is there, where hints come: a minute. */
  readonly rescanMs?: number;
}

interface Watched {
  readonly root: WatchedRoot;
  readonly supervisor: RootSupervisor;
}

/** Eyes in this process. A root that is watched again under its id is looked at from the beginning; its files at the gate stay there. */
export function createEyes({
  clock = systemSteadyClock,
  platform = process.platform,
  findWriters = createFindWriters(platform),
  listenTo = createHints,
  rescanMs = defaultRescanMs,
}: Dependencies = {}): Eyes {
  const listeners = createListeners<EyesNews>();
  const watched = new Map<string, Watched>();
  const endings = new Set<Promise<void>>();
  let stopping: Promise<void> | null = null;

  const tell = (news: EyesNews) => {
    if (!stopping) listeners.tell(news);
  };
  const gate = createGate({ clock, findWriters, tell, platform });
  const measuring = createMeasuring({
    platform,
    onMeasured: (id, files) => tell({ kind: 'measured', id, files }),
  });
  const rescan = () => {
    for (const { supervisor } of watched.values()) supervisor.lookNow();
  };
  const lateness = watchLateness(clock, rescan);

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
        supervisor: superviseRoot({ root, platform, clock, gate, listenTo, rescanMs, tell }),
      });
    },
    unwatch(id) {
      end(id);
      gate.removeRoot(id);
      measuring.cancel(id);
    },
    consider: gate.consider,
    measure(id, paths) {
      const root = watched.get(id)?.root;
      if (root) measuring.measure(id, root.path, paths);
    },
    rescan,
    onNews: listeners.add,
    stop: () => (stopping ??= stopAll()),
  };
}
