import type { Fold } from './waveform-columns.ts';
import type { SoundRequest } from './sound-worker.ts';
import { createWorkerPool } from './worker-pool.ts';

export interface SoundReaderOptions {
  /** Module of the thread: `./sound-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
}

export interface SoundReader {
  /**
   * The drawing of a file, in the order of the calls. Rejects with AppError (`input/missing`, `input/unreadable`, `input/not-audio`,
   * `input/cut`; `internal` when the thread died on this file; `job/cancelled` after stop) or the signal's reason.
   */
  fold(path: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<Fold>;
  stop(): Promise<void>;
}

/**
 * Reads sound files in one thread, one after the other. Owned by the app's main process; the thread starts with the first call, is
 * replaced when it dies, and `stop` ends it at once, whatever it is doing.
 */
export function createSoundReader({ workerUrl }: SoundReaderOptions): SoundReader {
  const pool = createWorkerPool<SoundRequest, Fold>({ workerUrl, size: 1 });
  return {
    fold: (path, options) => pool.run({ op: 'fold', path }, options),
    stop: () => pool.stop(),
  };
}
