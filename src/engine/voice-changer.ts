import { createWorkerPool } from '../sound/worker-pool.ts';
import type { ConvertRequest, ConvertResult } from './convert-file.ts';
import type { MeasuredVoice } from './measure-voice.ts';
import type { SpeakRequest } from './speech/speak-to-file.ts';

/** A request to a worker. */
export type SoundWork =
  | { readonly kind: 'convert'; readonly request: ConvertRequest }
  | { readonly kind: 'speak'; readonly request: SpeakRequest }
  | { readonly kind: 'measure'; readonly path: string };

interface Options {
  readonly signal?: AbortSignal | undefined;
}

/** Runs the engine's audio work in worker threads. */
export interface VoiceChanger {
  /**
   * Runs in FIFO order. Throws the errors of `convertFile`, AppError `internal` when the worker
   * dies, and `job/cancelled` after stop.
   */
  convert(request: ConvertRequest, options?: Options): Promise<ConvertResult>;
  /** Uses the same queue. Throws the errors of `speakToFile`, else those of `convert`. */
  speak(request: SpeakRequest, options?: Options): Promise<ConvertResult>;
  /** Uses the same queue. Throws the errors of `measureVoice`. */
  measure(path: string): Promise<MeasuredVoice>;
  stop(): Promise<void>;
}

export interface VoiceChangerOptions {
  /** Worker module: `./voice-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
  /** Maximum number of concurrent conversions; each uses a core and about 150 MB. Default 2. */
  readonly workers?: number;
}

/** Creates the pool of workers; none starts before the first request. */
export function createVoiceChanger({ workerUrl, workers = 2 }: VoiceChangerOptions): VoiceChanger {
  const pool = createWorkerPool<SoundWork, ConvertResult | MeasuredVoice>({ workerUrl, size: workers });
  // The worker returns the matching result for each kind of work.
  const run = <T extends ConvertResult | MeasuredVoice>(work: SoundWork, options?: Options) =>
    pool.run(work, options) as Promise<T>;
  return {
    convert: (request, options) => run<ConvertResult>({ kind: 'convert', request }, options),
    speak: (request, options) => run<ConvertResult>({ kind: 'speak', request }, options),
    measure: (path) => run<MeasuredVoice>({ kind: 'measure', path }),
    stop: pool.stop,
  };
}
