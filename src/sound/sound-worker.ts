import { readVoiceFeatures } from './voice-features.ts';
import { readWaveform } from './read-waveform.ts';
import { servePool } from './serve-pool.ts';

/** A request to the sound worker. */
export interface SoundRequest {
  readonly op: 'waveform' | 'features';
  readonly path: string;
  /** See `DecodeOptions`. */
  readonly ffmpeg: string | null;
}

/** Entry of the worker thread, which decodes files so that the main thread stays responsive. */
servePool(({ op, path, ffmpeg }: SoundRequest, signal) =>
  op === 'waveform' ? readWaveform(path, { ffmpeg, signal }) : readVoiceFeatures(path, signal),
);
