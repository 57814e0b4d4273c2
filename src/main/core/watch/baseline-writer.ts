import type { DatabaseSync } from 'node:sqlite';
import { createWorkerPool, isOutOfHandles, type WorkerPool } from '../../../sound/worker-pool.ts';
import type { Signature } from '../files/identity.ts';

/** Files to add to the baseline of a folder, in one commit. */
export interface BaselineTask {
  readonly databasePath: string;
  readonly folderId: string;
  readonly files: readonly { readonly path: string; readonly signature: Signature }[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Paths of the files that were not added, because they have a record. Null if the database is not writable now. */
export type BaselineReply = readonly string[] | null;

/** Adds baseline files in a thread of its own: fifty thousand take a second, in which main would serve the window less. */
export interface BaselineWriter {
  /**
   * Resolves with the paths of files that already have a record, or with null if nothing was added: the caller then adds them itself.
   * Never rejects.
   */
  add(task: Omit<BaselineTask, 'databasePath'>): Promise<BaselineReply>;
  /** Ends the thread, which takes up to 30 MB. The next `add` starts another. */
  release(): Promise<void>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  /** Its module. Without it, nothing is added. */
  readonly workerUrl: URL | undefined;
  onDefect(error: unknown): void;
}

export function createBaselineWriter({ database, workerUrl, onDefect }: Dependencies): BaselineWriter {
  const databasePath = database.location();
  let pool: WorkerPool<BaselineTask, BaselineReply> | undefined;
  let isUsable = true;

  async function release(): Promise<void> {
    const released = pool;
    pool = undefined;
    await released?.stop();
  }

  return {
    async add(task) {
      if (!isUsable || !workerUrl || databasePath === null) return null;
      const used = (pool ??= createWorkerPool({ workerUrl }));
      try {
        return await used.run({ ...task, databasePath });
      } catch (error) {
        // Released meanwhile, or other files may be closed by the next time.
        if (used !== pool || isOutOfHandles(error)) return null;
        isUsable = false;
        void release();
        onDefect(error);
        return null;
      }
    },
    release,
    stop() {
      isUsable = false;
      return release();
    },
  };
}
