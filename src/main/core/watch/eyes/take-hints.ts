import { canaryPrefix } from './canary.ts';
import { onDisk, splitPath } from './file-index.ts';
import { isInsideFolder } from './inside-folder.ts';
import type { Hint } from './hints.ts';
import { lstatEach } from './lstat-each.ts';
import { markerName } from './root-identity.ts';
import type { RootView } from './root-view.ts';
import { isMissing } from './system-code.ts';

/** Follows hints: looks at what they point to. */
export interface TakenHints {
  take(hint: Hint): void;
  /** A hint of this path or of a folder above it is waiting, or is just being followed. */
  isPending(path: string): boolean;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly view: RootView;
  /** A folder came under a name, or another one took its place: listens to it, and looks into it. */
  readonly onNewFolder: (folder: string) => Promise<void>;
  readonly onMissingFolder: (folder: string) => void;
  /** The root itself may be another one. */
  readonly onRoot: () => void;
  readonly signal: AbortSignal;
}

/** A program that writes makes many hints for one file; a copied folder makes many hints at once. */
const gatherMs = 20;

export function takeHints({ view, onNewFolder, onMissingFolder, onRoot, signal }: Dependencies): TakenHints {
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
    await lstatEach([...relativeOf.keys()], {
      onStats(file, stats, error) {
        const path = relativeOf.get(file) ?? '';
        if (!stats) {
          if (error && isMissing(error)) absent.push(path);
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
