import type { Problem } from '../../../shared/errors.ts';
import { checkRoot, driveKind, type DriveKind } from './root-identity.ts';
import type { ScannerEvent, RootStatus, WatchedRoot } from './scanner.ts';
import { splitPath } from './file-index.ts';
import type { StabilityGate } from './stability-gate.ts';
import type { createFsEvents } from './fs-events.ts';
import { createEventTracker, type DegradedReason } from './event-tracker.ts';
import { createInterruptibleSleep, type MonotonicClock } from '../clock.ts';
import { createChangeDetector } from './change-detector.ts';

/** Watches one root until it is stopped. */
export interface RootMonitor {
  /** Looks over everything now; what hints have missed is no sign against them. */
  lookNow(): void;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly root: WatchedRoot;
  readonly platform: NodeJS.Platform;
  readonly clock: MonotonicClock;
  readonly gate: StabilityGate;
  readonly listenTo: typeof createFsEvents;
  /** Between two looks over everything. */
  readonly rescanMs: number;
  readonly tell: (news: ScannerEvent) => void;
}

export const defaultRescanMs = 60_000;
/** What came while the watcher began to listen may have made no hint. */
const secondLookMs = 10_000;
const checkRootMs = 2000;
const mostPollMs = 30_000;
const pollStepsMs = [2000, 4000, 8000, 16_000, mostPollMs];
/** A poll that takes 40 ms comes every 2 s: one part in fifty of a core at most. */
const pollRest = 50;
/** Whether hints come now, where none came before: a person may have raised a limit. */
const listenAgainMs = 600_000;
/** A hint comes within milliseconds; so long after the change it was missed. */
const missedAfterMs = 2000;

/**
 * Life of a root: `offline` until the folder is there and is the right one; `starting` over the first look; then `watching`, led by hints
 * and a look over everything each minute, or `polling`, by looks alone. When the folder goes away, what is known of it stays.
 */
export function monitorRoot({ root, platform, clock, gate, listenTo, rescanMs, tell }: Dependencies): RootMonitor {
  const ending = new AbortController();
  const { signal } = ending;
  const nap = createInterruptibleSleep(signal);
  const { monotonic, wallNow } = clock;

  let drive: DriveKind = 'unknown';
  let told = '';
  let deafness: DegradedReason | null = null;
  let inside: readonly Problem[] = [];
  let pollMs = pollStepsMs[0] ?? mostPollMs;
  let isStarting = true;
  let nextFull = -Infinity;
  let nextPoll = -Infinity;
  let listenAgainAt = Infinity;
  let listenAnew = false;
  let isListening = false;
  /** The look that comes is the answer to a known loss. */
  let isExcused = true;
  let heardSince = Infinity;
  let missed = 0;
  let missedBefore = false;

  const tellHere = (news: ScannerEvent) => {
    if (!signal.aborted) tell(news);
  };

  async function isThere(): Promise<boolean> {
    const state = await checkRoot(root.path, root.identity);
    if (state !== 'there') nap.end();
    return state === 'there';
  }

  const view = createChangeDetector({
    root,
    platform,
    clock,
    gate,
    isThere,
    isLocal: () => drive === 'local',
    tell: tellHere,
    onFolder: (folder) => listening.addFolder(folder),
    onMissingFolders: (folders) => listening.removeFolders(folders),
    onFound(path, changedAt) {
      const isOverdue = changedAt > heardSince && wallNow() - changedAt > missedAfterMs;
      if (isOverdue && listening.hasMissed(path, splitPath(path).folder)) missed += 1;
    },
    signal,
  });

  const listening = createEventTracker({
    root,
    platform,
    view,
    listenTo,
    onTrouble(trouble) {
      if (trouble === 'lost') {
        listenAnew = true;
        isExcused = true;
        nextFull = -Infinity;
      } else {
        deafness = trouble;
      }
      nap.end();
    },
    onRoot: nap.end,
    signal,
  });

  function show(status: RootStatus): void {
    const text = JSON.stringify(status);
    if (text === told) return;
    told = text;
    tellHere({ kind: 'status', id: root.id, status });
  }

  function showNow(): void {
    const everySeconds = (deafness ? pollMs : rescanMs) / 1000;
    const problems = [...(deafness ? [{ code: deafness, facts: { seconds: everySeconds } }] : []), ...inside];
    const mode = isStarting ? 'starting' : deafness ? 'polling' : 'watching';
    show({ mode, everySeconds, problems });
  }

  function showOffline(state: 'missing' | 'another' | 'unreadable'): void {
    const code = (
      { missing: 'watch/missing', another: 'watch/another-folder', unreadable: 'watch/unreadable' } as const
    )[state];
    const everySeconds = checkRootMs / 1000;
    show({ mode: 'offline', everySeconds, problems: [{ code, facts: { folder: root.path } }] });
  }

  /** A look by names only is a poll; a thorough one is told. */
  async function look(isThorough: boolean): Promise<void> {
    const began = monotonic();
    const scan = await view.look('', isThorough);
    const tookMs = monotonic() - began;
    if (!isThorough) {
      // In steps, so that the status does not tremble.
      pollMs = pollStepsMs.find((step) => step >= tookMs * pollRest) ?? mostPollMs;
    }
    const [folder] = scan.unreadable;
    const [name] = scan.unnameable;
    inside = [
      ...(folder === undefined
        ? []
        : [{ code: 'watch/unreadable-inside', facts: { folder, count: scan.unreadable.length } } as const]),
      ...(name === undefined
        ? []
        : [{ code: 'watch/unreadable-name', facts: { name, count: scan.unnameable.length } } as const]),
      ...(scan.isOutOfHandles && deafness !== 'system/too-many-files'
        ? [{ code: 'system/too-many-files' } as const]
        : []),
    ];
    const now = monotonic();
    if (isThorough) nextFull = now + (scan.isOutOfHandles ? checkRootMs : Math.max(rescanMs, tookMs * 2));
    nextPoll = now + pollMs;
    // A look that left folders out was none over everything.
    if (!isThorough || scan.isOutOfHandles || !(await isThere())) return;
    tellHere({ kind: 'scanned', id: root.id, files: scan.files, folders: scan.folders, ignored: scan.ignored });
  }

  async function lookOverAll(): Promise<void> {
    const wasExcused = isExcused;
    isExcused = false;
    missed = 0;
    await look(true);
    const hasMissed = missed > 0 && !wasExcused && !deafness;
    if (hasMissed) deafness = missedBefore ? 'watch/no-hints' : await listening.probe();
    missedBefore = hasMissed;
  }

  /** Begins to listen, and finds out whether that is of use. */
  async function listen(): Promise<void> {
    listenAnew = false;
    isListening = true;
    drive = await driveKind(root.path, platform);
    await listening.begin(drive);
    if (isStarting || nextFull <= monotonic()) await lookOverAll();
    signal.throwIfAborted();
    deafness = await listening.probe();
    signal.throwIfAborted();
    heardSince = wallNow();
    missedBefore = false;
    isStarting = false;
    nextFull = Math.min(nextFull, monotonic() + secondLookMs);
    isExcused = true;
    showNow();
    await look(false);
  }

  const listensInVain = () => deafness !== null && isListening;

  /** Until the root is no longer there. */
  async function watchOn(): Promise<void> {
    showNow();
    while (await isThere()) {
      signal.throwIfAborted();
      if (listenAnew || listenAgainAt <= monotonic() || (await listening.isElsewhere())) {
        listenAgainAt = Infinity;
        await listen();
      }
      if (listensInVain()) {
        isListening = false;
        listenAgainAt = monotonic() + listenAgainMs;
        nextPoll = -Infinity;
        await listening.end();
      }
      if (nextFull <= monotonic()) await lookOverAll();
      else if (deafness && nextPoll <= monotonic()) await look(false);
      showNow();
      const next = Math.min(nextFull, deafness ? nextPoll : Infinity, monotonic() + checkRootMs);
      if (!listensInVain()) await nap.sleep(next - monotonic());
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const state = await checkRoot(root.path, root.identity);
      if (state === 'there') {
        listenAnew = true;
        await watchOn();
        // Whatever happened while it was away, nobody was told of it.
        nextFull = -Infinity;
        isExcused = true;
        await listening.end();
      } else {
        showOffline(state);
        await nap.sleep(checkRootMs);
      }
    }
  }

  gate.addRoot({
    id: root.id,
    path: root.path,
    isOurs: () => !isStarting && deafness !== 'watch/network-drive' && deafness !== 'watch/no-hints',
    isShared: () => drive === 'network',
    isThere,
    onMissing: (path) => void view.findGone([path], []),
    onSettled: view.settle,
  });
  const ended = run().catch((error: unknown) => {
    // Only the signal rejects; anything else is a defect, and ends up where uncaught errors do.
    if (!signal.aborted) throw error;
  });

  return {
    lookNow() {
      nextFull = -Infinity;
      isExcused = true;
      if (deafness) listenAnew = true;
      nap.end();
    },
    async stop() {
      ending.abort(new Error('no longer watched'));
      await ended;
      await listening.stop();
    },
  };
}
