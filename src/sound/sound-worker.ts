import { readWaveform } from './read-waveform.ts';
import { servePool } from './serve-pool.ts';

/** A request to the sound worker. */
export interface SoundRequest {
  readonly op: 'waveform';
  readonly path: string;
}

/** Entry of the worker thread, which decodes files for waveforms so that the main thread stays responsive. */
servePool((request: SoundRequest, signal) => readWaveform(request.path, signal));
