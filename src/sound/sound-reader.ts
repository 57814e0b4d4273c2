import type { VoiceFeatures } from '../shared/schemas/voice.ts';
import type { Waveform } from './waveform.ts';
import type { SoundPart } from './cut-sound.ts';
import type { SoundRequest } from './sound-worker.ts';
import { createWorkerPool } from './worker-pool.ts';

export interface SoundReaderOptions {
  /** Worker module: `./sound-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
  /** Returns the path of ffmpeg; null if there is none. Asked for each file. */
  readonly ffmpeg?: () => Promise<string | null>;
}

export interface SoundReader {
  /**
   * Reads the waveform of a file. Calls run in order. Rejects with AppError (`input/missing`,
   * `input/unreadable`, `input/not-audio`, `input/needs-ffmpeg`, `input/cut`; `internal` if the worker died on this file;
   * `job/cancelled` after stop) or the signal's reason.
   */
  readWaveform(path: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<Waveform>;
  /** Measures the voice in a file, as `readVoiceFeatures` does. Runs and rejects like `readWaveform`. */
  readFeatures(path: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<VoiceFeatures>;
  /** Writes a part to a file of its own, as `cutSound` does. Runs and rejects like `readWaveform`. */
  cut(part: Omit<SoundPart, 'ffmpeg'>, options?: { readonly signal?: AbortSignal | undefined }): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Reads sound files one after the other in a worker thread. The app's main process owns it. The
 * worker starts with the first call and is replaced when it dies; `stop` ends it at once.
 */
export function createSoundReader({ workerUrl, ffmpeg }: SoundReaderOptions): SoundReader {
  const pool = createWorkerPool<SoundRequest, Waveform | VoiceFeatures | number>({ workerUrl, size: 1 });
  return {
    // The worker's value depends on the request's `op`.
    readWaveform: async (path, options) =>
      pool.run({ op: 'waveform', path, ffmpeg: (await ffmpeg?.()) ?? null }, options) as Promise<Waveform>,
    readFeatures: (path, options) => pool.run({ op: 'features', path }, options) as Promise<VoiceFeatures>,
    cut: async (part, options) =>
      pool.run({ op: 'cut', ...part, ffmpeg: (await ffmpeg?.()) ?? null }, options) as Promise<number>,
    stop: () => pool.stop(),
  };
}
