import * as v from 'valibot';
import type { Problem } from '../../../shared/errors.ts';
import type { WatchWait } from '../../../shared/schemas/watch.ts';
import type { Signature } from '../files/identity.ts';

/** Identifies a folder, whatever its path. */
export interface RootIdentity {
  /** Id in its marker file; null if none could be written. */
  readonly marker: string | null;
  readonly device: string;
  readonly inode: string;
}

export interface WatchedRoot {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  readonly identity: RootIdentity;
  readonly isRecursive: boolean;
  /** Included file name extensions, in lower case with the dot. */
  readonly endings: readonly string[];
  /** Absolute paths of folders in it that are not scanned: the output folders, and `Done`. */
  readonly excluded: readonly string[];
  /** False for a preview, which another process does not prevent. */
  readonly isExclusive: boolean;
}

/** A file that is new or has a new signature. Its path is relative to the root, with the system's separators. */
export interface DiscoveredFile {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'placeholder';
  readonly signature: Signature;
}

/** A file that passed every layer of the gate: complete, quiet, closed, and unchanged while it was read. */
export interface StableFile {
  readonly path: string;
  readonly signature: Signature;
  /** Of its whole content, as hex. */
  readonly sha256: string;
  /** For a text, the estimated length at normal speed. */
  readonly durationSeconds: number | null;
  /** What is spoken; null for a recording. */
  readonly text: string | null;
}

export interface FileDuration {
  readonly path: string;
  /** Null if only decoding the file would tell. For a text, the estimate at normal speed. */
  readonly seconds: number | null;
  readonly problem: Problem | null;
}

/** How a root is watched at the moment; `problems` are the reasons why it is not watched better. */
export interface RootStatus {
  readonly mode: 'starting' | 'watching' | 'polling' | 'offline' | 'elsewhere';
  readonly everySeconds: number;
  readonly problems: readonly Problem[];
}

/** Paths are relative to the root with that `id`. */
export type ScannerEvent =
  | { readonly kind: 'status'; readonly id: string; readonly status: RootStatus }
  /** New or changed since the last report; on the first scan of a root, every file. */
  | { readonly kind: 'discovered'; readonly id: string; readonly files: readonly DiscoveredFile[] }
  /** Deleted while the root itself was present. */
  | { readonly kind: 'deleted'; readonly id: string; readonly paths: readonly string[] }
  /** A scan of the whole root has ended. All that it found was reported before. */
  | {
      readonly kind: 'scanned';
      readonly id: string;
      /** Number of files ignored because of their names. */
      readonly ignored: number;
    }
  | { readonly kind: 'waiting'; readonly id: string; readonly path: string; readonly wait: WatchWait }
  | { readonly kind: 'stable'; readonly id: string; readonly file: StableFile }
  /** It cannot be used as it is. When it changes, it is `discovered` again. */
  | {
      readonly kind: 'rejected';
      readonly id: string;
      readonly path: string;
      readonly signature: Signature;
      readonly problem: Problem;
    }
  | { readonly kind: 'durations'; readonly id: string; readonly files: readonly FileDuration[] };

/**
 * Finds files in folders and waits until they are complete; its owner decides which to use. Runs in
 * its own process (`src/processes/scanner.ts`), so that 100,000 files do not slow down the window.
 */
export interface Scanner {
  /** Starts watching a root, or continues with new rules. */
  watch(root: WatchedRoot): void;
  unwatch(id: string): void;
  /** Adds files to the gate. Each ends as `stable`, `rejected` or `deleted`; one that changes starts again. */
  awaitStable(id: string, paths: readonly string[]): void;
  /** Reads the durations of recordings from their headers, and estimates those of texts. Emits `durations`, some at a time. */
  probeDurations(id: string, paths: readonly string[]): void;
  /** Scans all roots now, because the machine woke up or a disk came back. */
  rescan(): void;
  onEvent(listener: (event: ScannerEvent) => void): () => void;
  /** Stops everything. Emits nothing afterwards. */
  stop(): Promise<void>;
}

const id = v.string();
const paths = v.array(v.string());

const root = v.object({
  id,
  path: v.string(),
  identity: v.object({ marker: v.nullable(v.string()), device: v.string(), inode: v.string() }),
  isRecursive: v.boolean(),
  endings: v.array(v.string()),
  excluded: v.array(v.string()),
  isExclusive: v.boolean(),
});

/** Messages to the scanner process: the calls of `Scanner`. The process answers with `ScannerEvent`. */
export const scannerRequest = v.variant('type', [
  v.object({ type: v.literal('watch'), root }),
  v.object({ type: v.literal('unwatch'), id }),
  v.object({ type: v.literal('await-stable'), id, paths }),
  v.object({ type: v.literal('probe-durations'), id, paths }),
  v.object({ type: v.literal('rescan') }),
  v.object({ type: v.literal('stop') }),
]);

export type ScannerRequest = v.InferOutput<typeof scannerRequest>;
