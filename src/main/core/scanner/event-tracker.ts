import { lstat, realpath, stat } from 'node:fs/promises';
import type { ErrorCode } from '../../../shared/errors.ts';
import { isNotFound } from '../files/errno.ts';
import type { ChangeDetector } from './change-detector.ts';
import { isInsideFolder, onDisk, splitPath } from './file-index.ts';
import {
  canaryPrefix,
  type createFsEvents,
  type FsEvent,
  type FsEvents,
  type EventLoss,
  writeCanary,
} from './fs-events.ts';
import { type DriveKind, lockName, markerName } from './root-identity.ts';
import type { WatchedRoot } from './scanner.ts';
import { statMany } from './tree-scan.ts';

/** Why a root must be polled. */
export type DegradedReason = Extract<
  ErrorCode,
  'watch/network-drive' | 'watch/no-hints' | 'watch/too-many-folders' | 'system/too-many-files'
>;

/** The file system events of one root: subscribes to them, tests whether they arrive, and handles each. */
export interface EventTracker {
  /** Subscribes again to all known folders. */
  start(drive: DriveKind): Promise<void>;
  /** Tests with a canary whether events arrive. Returns null if they do. */
  probe(): Promise<DegradedReason | null>;
  /** Unsubscribes; events that already arrived are still handled. */
  pause(): Promise<void>;
  addFolder(folder: string): void;
  removeFolders(folders: readonly string[]): void;
  /** True if an event for that path was due and did not arrive. */
  hasMissed(path: string, folder: string): boolean;
  /** True if the root is not the folder that was subscribed to. */
  isRootReplaced(): Promise<boolean>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly root: WatchedRoot;
  readonly platform: NodeJS.Platform;
  readonly detector: ChangeDetector;
  readonly createEvents: typeof createFsEvents;
  /** Events no longer suffice from now on, or some may have been lost. */
  readonly onDegraded: (reason: DegradedReason | 'lost') => void;
  /** The root itself may have been replaced. */
  readonly onRoot: () => void;
  readonly signal: AbortSignal;
}

const reasonByLoss: Readonly<Record<Exclude<EventLoss, 'lost'>, DegradedReason>> = {
  'too-many-folders': 'watch/too-many-folders',
  'too-many-files': 'system/too-many-files',
};

/**
 * Times at which a new folder is scanned again, in milliseconds after its subscription: chokidar does not tell
 * when that takes effect, and earlier changes make no event.
 */
const rescanFolderAfterMs = [100, 1000];

export function createEventTracker({
  root,
  platform,
  detector,
  createEvents,
  onDegraded,
  onRoot,
  signal,
}: Dependencies): EventTracker {
  const pathListeners = new Set<(path: string) => void>();
  const timers = new Set<NodeJS.Timeout>();
  let events: FsEvents | null = null;
  let degradation: DegradedReason | null = null;
  let subscribedRoot: string | null = null;

  const currentRoot = async () => {
    const { dev, ino } = await stat(root.path, { bigint: true });
    return `${dev}:${ino}`;
  };

  /** chokidar reports of a link to a folder only that it was replaced. */
  async function rootBehindLink(): Promise<string> {
    try {
      return (await lstat(root.path)).isSymbolicLink() ? await realpath(root.path) : root.path;
    } catch {
      return root.path;
    }
  }

  /** Ignores rejections: only a stop rejects. */
  const scanFolder = (folder: string) =>
    detector.scan(folder, false).then(
      () => undefined,
      () => undefined,
    );

  function rescanLater(folder: string): void {
    for (const ms of rescanFolderAfterMs) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (!signal.aborted) void scanFolder(folder);
      }, ms);
      timers.add(timer);
    }
  }

  const queue = createEventQueue({
    detector,
    async onNewFolder(folder) {
      // Another folder may have the same name and no subscription yet.
      events?.remove(detector.index.foldersBelow(folder));
      events?.add(detector.index.foldersBelow(folder));
      await scanFolder(folder);
      rescanLater(folder);
    },
    onMissingFolder: (folder) => events?.remove(detector.index.foldersBelow(folder)),
    onRoot,
    signal,
  });

  async function pause(): Promise<void> {
    const paused = events;
    events = null;
    subscribedRoot = null;
    await paused?.stop();
  }

  return {
    async start(drive) {
      await pause();
      degradation = null;
      if (drive === 'network') degradation = 'watch/network-drive';
      if (drive === 'network') return;
      const watchedRoot = await rootBehindLink();
      if (signal.aborted) return;
      const started = createEvents({
        root: watchedRoot,
        isRecursive: root.isRecursive,
        platform,
        onEvent(event) {
          for (const listener of [...pathListeners]) listener(event.path);
          queue.add(event);
        },
        onLoss(loss) {
          if (events !== started) return;
          if (loss !== 'lost') degradation = reasonByLoss[loss];
          onDegraded(loss === 'lost' ? loss : reasonByLoss[loss]);
        },
      });
      events = started;
      started.add(['', ...detector.index.folders()]);
      subscribedRoot = await currentRoot().catch(() => null);
    },
    async probe() {
      const probed = events;
      if (!probed) return degradation;
      await probed.whenAdded();
      const outcome = await writeCanary({
        root: root.path,
        onEvent(listener) {
          pathListeners.add(listener);
          return () => void pathListeners.delete(listener);
        },
        signal,
      });
      return degradation ?? (outcome === 'reported' ? null : 'watch/no-hints');
    },
    pause,
    addFolder: (folder) => events?.add([folder]),
    removeFolders: (folders) => events?.remove(folders),
    hasMissed: (path, folder) => (events?.covers(folder) ?? false) && !queue.isPending(path),
    isRootReplaced: async () =>
      subscribedRoot !== null && (await currentRoot().catch(() => subscribedRoot)) !== subscribedRoot,
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await pause();
      await queue.stop();
    },
  };
}

/** Collects events and checks the paths that they name. */
interface EventQueue {
  add(event: FsEvent): void;
  /** True if an event for this path or a folder above it is queued or being handled. */
  isPending(path: string): boolean;
  /** Resolves when nothing is running. */
  stop(): Promise<void>;
}

interface QueueDependencies extends Pick<Dependencies, 'detector' | 'onRoot' | 'signal'> {
  /** A folder was created or replaced. */
  readonly onNewFolder: (folder: string) => Promise<void>;
  readonly onMissingFolder: (folder: string) => void;
}

/** A program that writes causes many events for one file; a copied folder causes many at once. */
const collectMs = 20;

function createEventQueue({ detector, onNewFolder, onMissingFolder, onRoot, signal }: QueueDependencies): EventQueue {
  const { rules, index } = detector;
  const root = rules.root.path;
  /** Path to whether a name appeared or disappeared. */
  let queued = new Map<string, boolean>();
  let handling: ReadonlyMap<string, boolean> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  async function handleQueued(): Promise<void> {
    const isRename = queued;
    handling = queued;
    queued = new Map();
    const absent: string[] = [];
    const folders: string[] = [];
    const relativePaths = new Map([...isRename.keys()].map((path) => [onDisk(root, path), path]));
    await statMany([...relativePaths.keys()], {
      onStats(file, stats, error) {
        const path = relativePaths.get(file) ?? '';
        if (!stats) {
          if (error && isNotFound(error)) absent.push(path);
          return;
        }
        const { name } = splitPath(path);
        if (stats.isDirectory()) {
          // A change inside a known folder has its own event.
          if (rules.entersFolder(path, name) && (isRename.get(path) || !index.findFolder(path))) folders.push(path);
          return;
        }
        const kind = rules.includesFile(name) ? rules.kindOf(stats) : null;
        if (kind) detector.recordFile(path, kind, stats);
      },
      isLocal: detector.isLocal(),
      signal,
    });
    detector.flush();
    const absentFolders = absent.filter((path) => index.findFolder(path));
    for (const folder of absentFolders) onMissingFolder(folder);
    await detector.reportDeleted(
      absent.filter((path) => index.findFile(path) !== undefined),
      absentFolders,
    );
    const tops = folders.filter((path) => !folders.some((other) => isInsideFolder(other, path)));
    for (const folder of tops) {
      if (signal.aborted) return;
      await onNewFolder(folder);
    }
  }

  function start(): void {
    timer = undefined;
    if (running || queued.size === 0 || signal.aborted) return;
    running = handleQueued()
      // Only the signal rejects, and then nothing waits for the rest.
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      })
      .finally(() => {
        running = null;
        handling = new Map();
        if (queued.size > 0 && !signal.aborted) timer ??= setTimeout(start, collectMs);
      });
  }

  return {
    add({ path, isRename }) {
      if (signal.aborted) return;
      const isRoot = path === '' || path === markerName || path === lockName;
      if (isRoot) onRoot();
      if (isRoot || path.startsWith(canaryPrefix)) return;
      const { folder } = splitPath(path);
      // Systems that watch whole trees also report folders that are excluded.
      if (!index.findFolder(folder) && !rules.reaches(folder)) return;
      queued.set(path, isRename || (queued.get(path) ?? false));
      if (!running) timer ??= setTimeout(start, collectMs);
    },
    isPending(path) {
      for (let at = path; at !== ''; at = splitPath(at).folder) if (queued.has(at) || handling.has(at)) return true;
      return false;
    },
    async stop() {
      clearTimeout(timer);
      await running;
    },
  };
}
