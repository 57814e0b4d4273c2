import { stat } from 'node:fs/promises';
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
import { type DriveKind, markerName } from './root-identity.ts';
import type { WatchedRoot } from './scanner.ts';
import { statMany } from './tree-scan.ts';

/** Follows hints: looks at what they point to. */
export interface TrackedEvents {
  take(hint: FsEvent): void;
  /** A hint of this path or of a folder above it is waiting, or is just being followed. */
  isPending(path: string): boolean;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly view: ChangeDetector;
  /** A folder came under a name, or another one took its place: listens to it, and looks into it. */
  readonly onNewFolder: (folder: string) => Promise<void>;
  readonly onMissingFolder: (folder: string) => void;
  /** The root itself may be another one. */
  readonly onRoot: () => void;
  readonly signal: AbortSignal;
}

/** A program that writes makes many hints for one file; a copied folder makes many hints at once. */
const gatherMs = 20;

export function trackEvents({ view, onNewFolder, onMissingFolder, onRoot, signal }: Dependencies): TrackedEvents {
  const { rules, index } = view;
  const root = rules.root.path;
  /** Path to whether a name came or went. */
  let gathered = new Map<string, boolean>();
  let followed: ReadonlyMap<string, boolean> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  async function followAll(): Promise<void> {
    const isRename = gathered;
    followed = gathered;
    gathered = new Map();
    const absent: string[] = [];
    const folders: string[] = [];
    const relativeOf = new Map([...isRename.keys()].map((path) => [onDisk(root, path), path]));
    await statMany([...relativeOf.keys()], {
      onStats(file, stats, error) {
        const path = relativeOf.get(file) ?? '';
        if (!stats) {
          if (error && isNotFound(error)) absent.push(path);
          return;
        }
        const { name } = splitPath(path);
        if (stats.isDirectory()) {
          // A change inside is told by the folder itself.
          if (rules.entersFolder(path, name) && (isRename.get(path) || !index.get(path))) folders.push(path);
          return;
        }
        const kind = rules.takesFile(name) ? rules.kindOf(stats) : null;
        if (kind) view.note(path, kind, stats);
      },
      isLocal: view.isLocal(),
      signal,
    });
    view.flush();
    const absentFolders = absent.filter((path) => index.get(path));
    for (const folder of absentFolders) onMissingFolder(folder);
    await view.findGone(
      absent.filter((path) => index.fileText(path) !== undefined),
      absentFolders,
    );
    const tops = folders.filter((path) => !folders.some((other) => isInsideFolder(other, path)));
    for (const folder of tops) {
      if (signal.aborted) return;
      await onNewFolder(folder);
    }
  }

  function goOn(): void {
    timer = undefined;
    if (running || gathered.size === 0 || signal.aborted) return;
    running = followAll()
      // Only the signal rejects, and then nobody waits for the rest.
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      })
      .finally(() => {
        running = null;
        followed = new Map();
        if (gathered.size > 0 && !signal.aborted) timer ??= setTimeout(goOn, gatherMs);
      });
  }

  return {
    take({ path, isRename }) {
      if (signal.aborted) return;
      if (path === '' || path === markerName) onRoot();
      if (path === '' || path === markerName || path.startsWith(canaryPrefix)) return;
      const { folder } = splitPath(path);
      // Systems that watch whole trees tell of folders, too, that nobody looks into.
      if (!index.get(folder) && !rules.reaches(folder)) return;
      gathered.set(path, isRename || (gathered.get(path) ?? false));
      if (!running) timer ??= setTimeout(goOn, gatherMs);
    },
    isPending(path) {
      for (let at = path; at !== ''; at = splitPath(at).folder) if (gathered.has(at) || followed.has(at)) return true;
      return false;
    },
    async stop() {
      clearTimeout(timer);
      await running;
    },
  };
}

/** Why a root has to be looked over again and again. */
export type DegradedReason = Extract<
  ErrorCode,
  'watch/network-drive' | 'watch/no-hints' | 'watch/too-many-folders' | 'system/too-many-files'
>;

/** Hints of one root: from whom they come, whether they come at all, and what follows from each. */
export interface EventTracker {
  /** Listens anew to all folders that are known. */
  begin(drive: DriveKind): Promise<void>;
  /** Whether hints come, tried with a canary. Null if so. */
  probe(): Promise<DegradedReason | null>;
  /** Listens no more; hints that came are still followed. */
  end(): Promise<void>;
  addFolder(folder: string): void;
  removeFolders(folders: readonly string[]): void;
  /** A hint of that path had to come, and has not. */
  hasMissed(path: string, folder: string): boolean;
  /** Another folder stands at the path of the root than the one that is listened to. */
  isElsewhere(): Promise<boolean>;
  stop(): Promise<void>;
}

interface EventTrackerDependencies {
  readonly root: WatchedRoot;
  readonly platform: NodeJS.Platform;
  readonly view: ChangeDetector;
  readonly listenTo: typeof createFsEvents;
  /** The system tells too little from now on, or something may have been lost. */
  readonly onTrouble: (trouble: DegradedReason | 'lost') => void;
  readonly onRoot: () => void;
  readonly signal: AbortSignal;
}

const deafnessOf: Readonly<Record<Exclude<EventLoss, 'lost'>, DegradedReason>> = {
  'too-many-folders': 'watch/too-many-folders',
  'too-many-files': 'system/too-many-files',
};

/**
 * When a folder is looked into once more after it was handed to the watcher, in milliseconds: nobody tells when that begins to listen,
 * and what comes until then makes no hint.
 */
const lookAgainAfterMs = [100, 1000];

export function createEventTracker({
  root,
  platform,
  view,
  listenTo,
  onTrouble,
  onRoot,
  signal,
}: EventTrackerDependencies): EventTracker {
  const pathListeners = new Set<(path: string) => void>();
  const timers = new Set<NodeJS.Timeout>();
  let hints: FsEvents | null = null;
  let trouble: DegradedReason | null = null;
  let listensTo: string | null = null;

  const identityNow = async () => {
    const { dev, ino } = await stat(root.path, { bigint: true });
    return `${dev}:${ino}`;
  };

  /** Errors of the disk are found by whoever looks next; only a stop rejects. */
  const lookInto = (folder: string) =>
    view.look(folder, false).then(
      () => undefined,
      () => undefined,
    );

  function lookAgain(folder: string): void {
    for (const ms of lookAgainAfterMs) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (!signal.aborted) void lookInto(folder);
      }, ms);
      timers.add(timer);
    }
  }

  const taken = trackEvents({
    view,
    async onNewFolder(folder) {
      // The same name may be another folder, to which nobody listens yet.
      hints?.remove(view.index.foldersBelow(folder));
      hints?.add(view.index.foldersBelow(folder));
      await lookInto(folder);
      lookAgain(folder);
    },
    onMissingFolder: (folder) => hints?.remove(view.index.foldersBelow(folder)),
    onRoot,
    signal,
  });

  async function end(): Promise<void> {
    const ended = hints;
    hints = null;
    listensTo = null;
    await ended?.stop();
  }

  return {
    async begin(drive) {
      await end();
      trouble = null;
      if (drive === 'network') trouble = 'watch/network-drive';
      if (drive === 'network' || signal.aborted) return;
      const begun = listenTo({
        root: root.path,
        isRecursive: root.isRecursive,
        platform,
        onHint(hint) {
          for (const listener of [...pathListeners]) listener(hint.path);
          taken.take(hint);
        },
        onTrouble(told) {
          if (hints !== begun) return;
          if (told !== 'lost') trouble = deafnessOf[told];
          onTrouble(told === 'lost' ? told : deafnessOf[told]);
        },
      });
      hints = begun;
      begun.add(['', ...view.index.folders()]);
      listensTo = await identityNow().catch(() => null);
    },
    async probe() {
      const listened = hints;
      if (!listened) return trouble;
      await listened.settled();
      const heard = await writeCanary({
        root: root.path,
        onHint(listener) {
          pathListeners.add(listener);
          return () => void pathListeners.delete(listener);
        },
        signal,
      });
      return trouble ?? (heard === 'heard' ? null : 'watch/no-hints');
    },
    end,
    addFolder: (folder) => hints?.add([folder]),
    removeFolders: (folders) => hints?.remove(folders),
    hasMissed: (path, folder) => (hints?.covers(folder) ?? false) && !taken.isPending(path),
    isElsewhere: async () => listensTo !== null && (await identityNow().catch(() => listensTo)) !== listensTo,
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await end();
      await taken.stop();
    },
  };
}
