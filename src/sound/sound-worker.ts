import { readVoiceFeatures } from './voice-features.ts';
import { readWaveform } from './read-waveform.ts';
import { servePool } from './serve-pool.ts';
import type { SoundPart } from './cut-sound.ts';
import type { JoinedSounds } from './join-sounds.ts';
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
    }
  | ({ readonly op: 'cut' } & SoundPart)
  | ({ readonly op: 'join' } & JoinedSounds);

/** Entry of the worker thread, which decodes files so that the main thread stays responsive. */
servePool(async (request: SoundRequest, signal) => {
  switch (request.op) {
    case 'features':
      return readVoiceFeatures(request.path, signal);
    case 'waveform':
      return readWaveform(request.path, { ffmpeg: request.ffmpeg, signal });
    // Most processes only draw: the encoders are loaded when they are needed.
    case 'transcode': {
      const { transcodeSound } = await import('./transcode-sound.ts');
      return transcodeSound(request.path, { ...request, signal });
    }
    case 'cut': {
      const { cutSound } = await import('./cut-sound.ts');
      return cutSound(request, signal);
    }
    case 'join': {
      const { joinSounds } = await import('./join-sounds.ts');
      return joinSounds(request, signal);
    }
  }
});
