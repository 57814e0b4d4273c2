import { join } from 'node:path';
import { app } from 'electron';
import type { TrayState } from './tray.ts';

/** Paths of Timbre's own files, and of folders that it creates for the user. */
export const appPaths = {
  icon: (pixels: 64 | 512) => join(app.getAppPath(), `build/icons/${pixels}x${pixels}.png`),
  /** Linux panels scale one large image; the others select one of several sizes by its name (`@2x`). */
  trayIcon: (state: TrayState, platform: NodeJS.Platform) =>
    join(app.getAppPath(), `build/tray/${state}${platform === 'linux' ? '@3x' : ''}.png`),
  attentionIcon: () => join(app.getAppPath(), 'build/tray/attention-badge.png'),
  sample: () => join(app.getAppPath(), 'samples/harbour.wav'),
  /** For the sample's result and for speech, which have no source folder. */
  ownFolder: () => join(app.getPath('music'), 'Timbre'),
  importFolder: (outputFolder: string | null) => join(outputFolder ?? app.getPath('music'), 'Timbre import'),
} as const;
