import { createSoundReader } from '../../../sound/sound-reader.ts';
import { createDrawSound, type DrawSound } from './draw-sound.ts';
import { createFoldCache } from './fold-cache.ts';

/** Draws sounds in a thread, and keeps the drawings in the data folder. */
export interface SoundDrawings {
  readonly draw: DrawSound;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly folder: string;
  /** As for `createSoundReader`. */
  readonly workerUrl: URL;
}

export function createSoundDrawings({ folder, workerUrl }: Dependencies): SoundDrawings {
  const soundReader = createSoundReader({ workerUrl });
  const cache = createFoldCache({ folder });
  return {
    draw: createDrawSound({ soundReader, cache }),
    async stop() {
      await soundReader.stop();
      cache.stop();
    },
  };
}
