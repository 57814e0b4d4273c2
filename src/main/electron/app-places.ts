import { app } from 'electron';
import { join } from 'node:path';

/** Where Timbre's own files are, and those that it makes for a person. */
export const appPlaces = {
  icon: (pixels: 64 | 512) => join(app.getAppPath(), `build/icons/${pixels}x${pixels}.png`),
  sample: () => join(app.getAppPath(), 'samples/harbour.wav'),
  /** For what has no place of its own: the sample's result, and speech. */
  ownFolder: () => join(app.getPath('music'), 'Timbre'),
  importFolder: (outputFolder: string | null) => join(outputFolder ?? app.getPath('music'), 'Timbre import'),
} as const;
