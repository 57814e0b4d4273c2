import * as v from 'valibot';
import type { Problem } from '../../../shared/errors.ts';
import type { WatchWait } from '../../../shared/schemas/watch.ts';
import type { Signature } from '../files/identity.ts';

/** How the folder is recognized when something stands at its path again. */
export interface RootIdentity {
  /** Id in its marker file; null where none can be written. */
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
  /** Endings that count, lower case with the dot. */
  readonly endings: readonly string[];
  /** Absolute folders in it that are not looked into: where results go, and `Done`. */
  readonly excluded: readonly string[];
}

/** A file that the eyes had not seen in this shape before. Its path is relative to the root, as the system writes paths. */
export interface DiscoveredFile {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'placeholder';
  readonly signature: Signature;
}

/** A file that passed every layer of the gate: whole, quiet, closed, and read to its end without a change. */
export interface StableFile {
  readonly path: string;
  readonly signature: Signature;
  /** Of all its bytes, as hex. */
  readonly sha256: string;
  readonly durationSeconds: number | null;
}

/** How a root is seen just now. `problems` are what makes it worse than it could be, with a reason each. */
export interface RootStatus {
  readonly mode: 'starting' | 'watching' | 'polling' | 'offline';
  readonly everySeconds: number;
  readonly problems: readonly Problem[];
}

/** What the eyes tell. Paths are relative to the root with that `id`. */
export type ScannerEvent =
  | { readonly kind: 'status'; readonly id: string; readonly status: RootStatus }
  /** New or changed since it was last told; on the first look over a root, everything. */
  | { readonly kind: 'discovered'; readonly id: string; readonly files: readonly DiscoveredFile[] }
  /** Gone, while the root itself is there. */
  | { readonly kind: 'deleted'; readonly id: string; readonly paths: readonly string[] }
  /** A look over the whole root has ended. All that it found was told before. */
  | {
      readonly kind: 'scanned';
      readonly id: string;
      readonly files: number;
      readonly folders: number;
      /** Files that were passed over for their name. */
      readonly ignored: number;
    }
  | { readonly kind: 'waiting'; readonly id: string; readonly path: string; readonly wait: WatchWait }
  | { readonly kind: 'stable'; readonly id: string; readonly file: StableFile }
  /** It cannot be taken as it is. Looked at again as soon as it changes, which is then told as `discovered`. */
  | {
      readonly kind: 'rejected';
      readonly id: string;
      readonly path: string;
      readonly signature: Signature;
      readonly problem: Problem;
    }
  | { readonly kind: 'durations'; readonly id: string; readonly files: readonly FileDuration[] };

export interface FileDuration {
  readonly path: string;
  /** Null where only decoding would tell. */
  readonly seconds: number | null;
  readonly problem: Problem | null;
}

/**
 * What looks at folders, and decides nothing: which files there are, and when one is finished. Whoever owns it says which of them are
 * worth a closer look. It runs in a process of its own (`src/processes/scanner.ts`), so that a hundred thousand files cost the window nothing.
 */
export interface Scanner {
  /** Begins to watch a root, or goes on with new rules. */
  watch(root: WatchedRoot): void;
  unwatch(id: string): void;
  /** Takes files to the gate; each ends as `stable`, `rejected` or `deleted`, or goes on `waiting`. A file that changes there begins anew. */
  awaitStable(id: string, paths: readonly string[]): void;
  /** Asks for the lengths of recordings, from their heads. Answered by `durations`, some at a time. */
  probeDurations(id: string, paths: readonly string[]): void;
  /** Looks over all roots now: the machine woke up, or a disk came back. */
  rescan(): void;
  onEvent(listener: (news: ScannerEvent) => void): () => void;
  /** Ends everything. Nothing is told afterwards. */
  stop(): Promise<void>;
}

const id = v.string();
const paths = v.array(v.string());
const filesOf = { id, paths };

const root = v.object({
  id,
  path: v.string(),
  identity: v.object({ marker: v.nullable(v.string()), device: v.string(), inode: v.string() }),
  isRecursive: v.boolean(),
  endings: v.array(v.string()),
  excluded: v.array(v.string()),
});

/** What the watcher's process is told: the calls of `Scanner`, as plain messages. Its answers are the news as they are. */
export const scannerRequest = v.variant('type', [
  v.object({ type: v.literal('watch'), root }),
  v.object({ type: v.literal('unwatch'), id }),
  v.object({ type: v.literal('await-stable'), ...filesOf }),
  v.object({ type: v.literal('probe-durations'), ...filesOf }),
  v.object({ type: v.literal('rescan') }),
  v.object({ type: v.literal('stop') }),
]);

export type ScannerRequest = v.InferOutput<typeof scannerRequest>;
