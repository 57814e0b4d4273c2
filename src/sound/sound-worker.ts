import { readVoiceFeatures } from './voice-features.ts';
import { readWaveform } from './read-waveform.ts';
import { servePool } from './serve-pool.ts';
import type { LosslessFormat } from './transcode-sound.ts';

/** A request to the sound worker. `ffmpeg`: see `DecodeOptions`. */
export type SoundRequest =
  | { readonly op: 'features'; readonly path: string }
  | { readonly op: 'waveform'; readonly path: string; readonly ffmpeg: string | null }
  | {
      readonly op: 'transcode';
      readonly path: string;
      readonly ffmpeg: string | null;
      readonly to: string;
      readonly format: LosslessFormat;
    };

/** Entry of the worker thread, which decodes files so that the main thread stays responsive. */
servePool(async ({ path, ...request }: SoundRequest, signal) => {
  if (request.op === 'features') return readVoiceFeatures(path, signal);
  const { ffmpeg } = request;
  if (request.op === 'waveform') return readWaveform(path, { ffmpeg, signal });
  // Most processes only draw: the encoders are loaded when they are needed.
  const { transcodeSound } = await import('./transcode-sound.ts');
  return transcodeSound(path, { to: request.to, format: request.format, ffmpeg, signal });
});
