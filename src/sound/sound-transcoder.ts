import type { JoinSounds } from './join-sounds.ts';
import type { SoundRequest } from './sound-worker.ts';
import type { TranscodeSound } from './transcode-sound.ts';
import { createWorkerPool } from './worker-pool.ts';

/**
 * Writes new sound files in worker threads; see `transcodeSound` and `joinSounds`. The creator owns it; the workers start with
 * the first file.
 */
export function createSoundTranscoder({ workerUrl }: { readonly workerUrl: URL }): {
  readonly transcode: TranscodeSound;
  readonly join: JoinSounds;
  /** Ends the workers at once. */
  stop(): Promise<void>;
} {
  const pool = createWorkerPool<SoundRequest, void>({ workerUrl, size: 2 });
  return {
    transcode: (path, { to, format, ffmpeg = null, signal }) =>
      pool.run({ op: 'transcode', path, to, format, ffmpeg }, { signal }),
    join: (request, signal) => pool.run({ op: 'join', ...request }, { signal }),
    stop: () => pool.stop(),
  };
}
