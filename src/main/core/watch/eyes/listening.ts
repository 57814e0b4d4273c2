import { stat } from 'node:fs/promises';
import type { ErrorCode } from '../../../../shared/error-code.ts';
import { singCanary } from './canary.ts';
import type { DriveKind } from './drive-kind.ts';
import type { WatchedRoot } from './eyes.ts';
import type { createHints, HintTrouble, Hints } from './hints.ts';
import type { RootView } from './root-view.ts';
import { takeHints } from './take-hints.ts';

/** Why a root has to be looked over again and again. */
export type Deafness = Extract<
  ErrorCode,
  'watch/network-drive' | 'watch/no-hints' | 'watch/too-many-folders' | 'system/too-many-files'
>;

/** Hints of one root: from whom they come, whether they come at all, and what follows from each. */
export interface Listening {
  /** Listens anew to all folders that are known. */
  begin(drive: DriveKind): Promise<void>;
  /** Whether hints come, tried with a canary. Null if so. */
  probe(): Promise<Deafness | null>;
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

interface Dependencies {
  readonly root: WatchedRoot;
  readonly platform: NodeJS.Platform;
  readonly view: RootView;
  readonly listenTo: typeof createHints;
  /** The system tells too little from now on, or something may have been lost. */
  readonly onTrouble: (trouble: Deafness | 'lost') => void;
  readonly onRoot: () => void;
  readonly signal: AbortSignal;
}

const deafnessOf: Readonly<Record<Exclude<HintTrouble, 'lost'>, Deafness>> = {
  'too-many-folders': 'watch/too-many-folders',
  'too-many-files': 'system/too-many-files',
};

/**
 * When a folder is looked into once more after it was handed to the watcher, in milliseconds: nobody tells when that begins to listen,
 * and what comes until then makes no hint.
 */
const lookAgainAfterMs = [100, 1000];

export function createListening({
  root,
  platform,
  view,
  listenTo,
  onTrouble,
  onRoot,
  signal,
}: Dependencies): Listening {
  const pathListeners = new Set<(path: string) => void>();
  const timers = new Set<NodeJS.Timeout>();
  let hints: Hints | null = null;
  let trouble: Deafness | null = null;
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

  const taken = takeHints({
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
      const heard = await singCanary({
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
