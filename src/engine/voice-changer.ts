import { createWorkerPool } from '../sound/worker-pool.ts';
import type { ConvertRequest, ConvertResult } from './convert-file.ts';
import type { MeasuredVoice } from './measure-voice.ts';
import type { SpeakRequest } from './speech/speak-file.ts';

/** What a thread is asked to do. */
export type SoundWork =
  | { readonly kind: 'convert'; readonly request: ConvertRequest }
  | { readonly kind: 'speak'; readonly request: SpeakRequest }
  | { readonly kind: 'measure'; readonly path: string };

interface Options {
  readonly signal?: AbortSignal | undefined;
}

/** The engine's sound work, in threads of its own. */
export interface VoiceChanger {
  /** First in, first out. Errors as of `convertFile`, AppError `internal` when the thread dies, `job/cancelled` after stop. */
  convert(request: ConvertRequest, options?: Options): Promise<ConvertResult>;
  /** In the same queue. Errors as of `speakFile`, else as `convert`. */
  speak(request: SpeakRequest, options?: Options): Promise<ConvertResult>;
  /** In the same queue. Errors as of `measureVoice`. */
  measure(path: string): Promise<MeasuredVoice>;
  stop(): Promise<void>;
}

export interface VoiceChangerOptions {
  /** Module of the thread: `./voice-worker.js` beside the bundle, the TypeScript file in tests. */
  readonly workerUrl: URL;
  /** Conversions at once, each a core and about 150 MB. Default 2. */
  readonly workers?: number;
}

/** Creates the pool of conversion threads; none starts before the first conversion. */
export function createVoiceChanger({ workerUrl, workers = 2 }: VoiceChangerOptions): VoiceChanger {
  const pool = createWorkerPool<SoundWork, ConvertResult | MeasuredVoice>({ workerUrl, size: workers });
  // The thread answers each kind of work with its own kind of result.
  const run = <T extends ConvertResult | MeasuredVoice>(work: SoundWork, options?: Options) =>
    pool.run(work, options) as Promise<T>;
  return {
    convert: (request, options) => run<ConvertResult>({ kind: 'convert', request }, options),
    speak: (request, options) => run<ConvertResult>({ kind: 'speak', request }, options),
    measure: (path) => run<MeasuredVoice>({ kind: 'measure', path }),
    stop: pool.stop,
  };
}
