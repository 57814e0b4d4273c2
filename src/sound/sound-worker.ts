import { foldFile } from './waveform-columns.ts';
import { servePool } from './serve-pool.ts';

/** What the sound thread can be asked; one operation so far. */
export interface SoundRequest {
  readonly op: 'fold';
  readonly path: string;
}

/** Entry of the sound thread: reads files for drawing, away from everything that must stay responsive. */
servePool((request: SoundRequest, signal) => foldFile(request.path, signal));
