import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Problem } from '../../../shared/errors.ts';
import { checkRoot, createRootCheck, driveKind, type DriveKind, type RootState } from './root-identity.ts';
import type { ScannerEvent, RootStatus, WatchedRoot } from './scanner.ts';
import { splitPath } from './file-index.ts';
import type { StabilityGate } from './stability-gate.ts';
import type { createFsEvents } from './fs-events.ts';
import { createFolderLock } from './folder-lock.ts';
import { createEventTracker, type DegradedReason } from './event-tracker.ts';
import { createInterruptibleSleep, type MonotonicClock, unlessAborted } from '../clock.ts';
import { createChangeDetector } from './change-detector.ts';

/** Watches one root until it is stopped. */
export interface RootMonitor {
  /** Scans everything now. What events have missed until then does not count against them. */
  rescan(): void;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly root: WatchedRoot;
  readonly platform: NodeJS.Platform;
  readonly clock: MonotonicClock;
  readonly gate: StabilityGate;
  readonly createEvents: typeof createFsEvents;
  /** Between two full scans. */
  readonly rescanMs: number;
  readonly emit: (event: ScannerEvent) => void;
  /** Settles when earlier monitors of the same folder have stopped. */
  readonly before: Promise<unknown>;
}

export const defaultRescanMs = 60_000;
/** While events arrive, only one full scan in so many checks files that are known: nearly each change of one makes an event. */
const fullScansPerThorough = 10;
/** Changes during the subscription may have made no event. */
const secondScanMs = 10_000;
const checkRootMs = 2000;
/** A disk that has to spin up takes ten seconds. */
const answersWithinMs = 20_000;
const maxPollMs = 30_000;
const pollStepsMs = [2000, 4000, 8000, 16_000, maxPollMs];
/** A poll that takes 40 ms runs every 2 s: at most a fiftieth of a core. */
const pollIntervalFactor = 50;
/** How often to test whether events arrive after all: the user may have raised a limit. */
const resubscribeMs = 600_000;
/** An event arrives within milliseconds; this long after the change it is missed. */
const missedAfterMs = 2000;

/** Why a root is offline. */
const offlineCodes = {
  missing: 'watch/missing',
  another: 'watch/another-folder',
  unreadable: 'watch/unreadable',
  silent: 'watch/disk-silent',
} as const;

/**
 * Life of a root: `offline` until the right folder is at its path; `elsewhere` until its lock is free; `starting` during
 * the first scan; then `watching`, by events and a full scan every minute, or `polling`, by scans alone. What is known of
 * the folder is kept while it is offline.
 */
export function monitorRoot({
  root,
  platform,
  clock,
  gate,
  createEvents,
  rescanMs,
  emit,
  before,
}: Dependencies): RootMonitor {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = createInterruptibleSleep(signal);
  const { monotonic, wallNow } = clock;

  let drive: DriveKind = 'unknown';
  let emittedStatus = '';
  /** Why the root is polled; null while events arrive. */
  let degradation: DegradedReason | null = null;
  let scanProblems: readonly Problem[] = [];
  let pollMs = pollStepsMs[0] ?? maxPollMs;
  let isStarting = true;
  let nextFullAt = -Infinity;
  let nextPollAt = -Infinity;
  let resubscribeAt = Infinity;
  let mustResubscribe = false;
  let isSubscribed = false;
  /** The next full scan follows a known loss: it is thorough, and what it finds is not counted as missed. */
  let isLossKnown = true;
  let listedSinceThorough = Infinity;
  let eventsSince = Infinity;
  let missed = 0;
  let missedBefore = false;
  let isWatched = false;

  const emitUnlessStopped = (event: ScannerEvent) => {
    if (!signal.aborted) emit(event);
  };

  const readRoot = (): Promise<RootState> => checkRoot(root.path, root.identity);
  const recheckRoot = createRootCheck(root.path, root.identity);

  async function isPresentBy(check: () => Promise<RootState>): Promise<boolean> {
    const isStill = isWatched && (await check()) === 'present' && (await folderLock.isHeld());
    if (!isStill) pause.end();
    return isStill;
  }

  /** Reads the marker each time: what is missing counts as deleted only in this folder. */
  const isPresent = (): Promise<boolean> => isPresentBy(readRoot);

  const detector = createChangeDetector({
    root,
    platform,
    clock,
    gate,
    isPresent,
    isLocal: () => drive === 'local',
    emit: emitUnlessStopped,
    onFolder: (folder) => tracker.addFolder(folder),
    onMissingFolders: (folders) => tracker.removeFolders(folders),
    onFound(path, changedAt) {
      const isOverdue = changedAt > eventsSince && wallNow() - changedAt > missedAfterMs;
      if (isOverdue && tracker.hasMissed(path, splitPath(path).folder)) missed += 1;
    },
    signal,
  });

  const folderLock = createFolderLock({ rules: detector.rules, platform, signal });

  const tracker = createEventTracker({
    root,
    platform,
    detector,
    createEvents,
    onDegraded(reason) {
      if (reason === 'lost') {
        mustResubscribe = true;
        isLossKnown = true;
        nextFullAt = -Infinity;
      } else {
        degradation = reason;
      }
      pause.end();
    },
    onRoot: pause.end,
    signal,
  });

  function emitStatus(status: RootStatus): void {
    const text = JSON.stringify(status);
    if (text === emittedStatus) return;
    emittedStatus = text;
    emitUnlessStopped({ kind: 'status', id: root.id, status });
  }

  function emitOnline(): void {
    const everySeconds = (degradation ? pollMs : rescanMs) / 1000;
    const problems = [
      ...(degradation ? [{ code: degradation, facts: { seconds: everySeconds } }] : []),
      ...scanProblems,
    ];
    const mode = isStarting ? 'starting' : degradation ? 'polling' : 'watching';
    emitStatus({ mode, everySeconds, problems });
  }

  function emitOffline(state: keyof typeof offlineCodes): void {
    const code = offlineCodes[state];
    const everySeconds = checkRootMs / 1000;
    emitStatus({ mode: 'offline', everySeconds, problems: [{ code, facts: { folder: root.path } }] });
  }

  function emitElsewhere(folder: string): void {
    const everySeconds = checkRootMs / 1000;
    emitStatus({ mode: 'elsewhere', everySeconds, problems: [{ code: 'watch/elsewhere', facts: { folder } }] });
  }

  /** A thorough scan checks every file; any other lists names. Returns how long it took, and whether it skipped nothing. */
  async function scan(isThorough: boolean) {
    const startedAt = monotonic();
    const result = await detector.scan('', isThorough);
    const tookMs = monotonic() - startedAt;
    const [folder] = result.unreadable;
    const [name] = result.unnameable;
    scanProblems = [
      ...(folder === undefined
        ? []
        : [{ code: 'watch/unreadable-inside', facts: { folder, count: result.unreadable.length } } as const]),
      ...(name === undefined
        ? []
        : [{ code: 'input/unreadable-name', facts: { name, count: result.unnameable.length } } as const]),
      ...(result.isOutOfHandles && degradation !== 'system/too-many-files'
        ? [{ code: 'system/too-many-files' } as const]
        : []),
    ];
    return { tookMs, ignored: result.ignored, isComplete: !result.isOutOfHandles };
  }

  async function poll(): Promise<void> {
    const { tookMs } = await scan(false);
    // In steps, so that the status does not change with every poll.
    pollMs = pollStepsMs.find((step) => step >= tookMs * pollIntervalFactor) ?? maxPollMs;
    nextPollAt = monotonic() + pollMs;
  }

  /** Ends with `scanned`. */
  async function scanFully(): Promise<void> {
    const wasLossKnown = isLossKnown;
    const isThorough = wasLossKnown || degradation !== null || listedSinceThorough >= fullScansPerThorough - 1;
    isLossKnown = false;
    missed = 0;
    const { tookMs, ignored, isComplete } = await scan(isThorough);
    const now = monotonic();
    nextFullAt = now + (isComplete ? Math.max(rescanMs, tookMs * 2) : checkRootMs);
    nextPollAt = now + pollMs;
    // A scan that skipped folders was not a full one.
    if (isThorough) listedSinceThorough = isComplete ? 0 : Infinity;
    else listedSinceThorough += 1;
    if (isComplete && (await isPresent())) emitUnlessStopped({ kind: 'scanned', id: root.id, ignored });
    const hasMissed = missed > 0 && !wasLossKnown && !degradation;
    if (hasMissed) degradation = missedBefore ? 'watch/no-hints' : await tracker.probe();
    missedBefore = hasMissed;
  }

  /** Subscribes to events and tests whether they arrive. */
  async function subscribe(): Promise<void> {
    mustResubscribe = false;
    isSubscribed = true;
    drive = await driveKind(root.path, platform);
    await tracker.start(drive);
    if (isStarting || nextFullAt <= monotonic()) await scanFully();
    signal.throwIfAborted();
    degradation = await tracker.probe();
    signal.throwIfAborted();
    eventsSince = wallNow();
    missedBefore = false;
    isStarting = false;
    nextFullAt = Math.min(nextFullAt, monotonic() + secondScanMs);
    isLossKnown = true;
    emitOnline();
    await poll();
  }

  const isSubscribedInVain = () => degradation !== null && isSubscribed;

  /** Returns once the root is no longer present. */
  async function watchWhilePresent(): Promise<void> {
    emitOnline();
    while (await isPresentBy(recheckRoot)) {
      signal.throwIfAborted();
      if (mustResubscribe || resubscribeAt <= monotonic() || (await tracker.isRootReplaced())) {
        resubscribeAt = Infinity;
        await subscribe();
      }
      if (isSubscribedInVain()) {
        isSubscribed = false;
        resubscribeAt = monotonic() + resubscribeMs;
        nextPollAt = -Infinity;
        await tracker.pause();
      }
      if (nextFullAt <= monotonic()) await scanFully();
      else if (degradation && nextPollAt <= monotonic()) await poll();
      emitOnline();
      const next = Math.min(nextFullAt, degradation ? nextPollAt : Infinity, monotonic() + checkRootMs);
      if (!isSubscribedInVain()) await pause.sleep(next - monotonic());
    }
  }

  async function watchUntilAway(): Promise<void> {
    mustResubscribe = true;
    isWatched = true;
    await watchWhilePresent();
    isWatched = false;
    // An open lock would keep the disk from being unmounted.
    folderLock.release();
    // Changes while it is offline make no event.
    nextFullAt = -Infinity;
    isLossKnown = true;
    await tracker.pause();
  }

  /** Reports a root whose disk hangs as offline until it answers: `run` waits for the disk, and cannot. */
  async function watchDisk(): Promise<void> {
    for (;;) {
      const answer = statfs(root.path).catch(() => null);
      const answered = new AbortController();
      const late = delay(answersWithinMs, true, { signal: AbortSignal.any([signal, answered.signal]) });
      const isLate = await Promise.race([answer.then(() => false), late]).finally(() => answered.abort());
      if (isLate) {
        emitOffline('silent');
        await unlessAborted(answer, signal);
        if (isWatched) emitOnline();
      }
      await delay(checkRootMs, undefined, { signal });
    }
  }

  async function run(): Promise<void> {
    await before;
    while (!signal.aborted) {
      const state = await readRoot();
      const watcher = state === 'present' ? await folderLock.acquire() : null;
      if (state === 'present' && watcher === null) {
        await watchUntilAway();
        continue;
      }
      if (state !== 'present') emitOffline(state);
      else if (watcher !== null) emitElsewhere(watcher);
      await pause.sleep(checkRootMs);
    }
  }

  gate.addRoot({
    id: root.id,
    path: root.path,
    hasOwnEvents: () => !isStarting && degradation !== 'watch/network-drive' && degradation !== 'watch/no-hints',
    isNetworkDrive: () => drive === 'network',
    isWatched: () => isWatched,
    isPresent,
    onMissing: (path) => void detector.reportDeleted([path], []),
    onLeft: detector.setSignature,
  });
  const unlessStopped = (error: unknown) => {
    // Only the signal rejects; anything else is a defect and is reported as an uncaught error.
    if (!signal.aborted) throw error;
  };
  const ended = run().catch(unlessStopped);
  void watchDisk().catch(unlessStopped);

  return {
    rescan() {
      nextFullAt = -Infinity;
      isLossKnown = true;
      if (degradation) mustResubscribe = true;
      pause.end();
    },
    async stop() {
      stopping.abort(new Error('no longer watched'));
      await ended;
      isWatched = false;
      folderLock.release();
      await tracker.stop();
    },
  };
}
