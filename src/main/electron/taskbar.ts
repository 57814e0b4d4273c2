import type { App, BrowserWindow } from 'electron';
import type { Activity } from '../core/activity.ts';

interface Dependencies {
  readonly app: Pick<App, 'setBadgeCount' | 'dock'>;
  readonly platform: NodeJS.Platform;
  window(): Pick<BrowserWindow, 'setProgressBar' | 'setOverlayIcon'> | undefined;
  /** The picture of the badge on Windows. */
  attentionIcon(): Electron.NativeImage;
}

/**
 * Shows the progress of the batch, and how much needs the user, on the taskbar or the Dock; Windows has no number.
 * Returns the function to call when the activity changes. Linux shows both only on panels with the
 * LauncherEntry API, under the name of `desktopName` in package.json.
 */
export function createTaskbar({ app, platform, window, attentionIcon }: Dependencies) {
  /** Only changes are sent: macOS animates, and Linux sends a message, each time. */
  let shown: { readonly window: unknown; readonly text: string } | undefined;

  return ({ progress, isPausedByUser, isPausedOnBattery, attention }: Activity, description: string): void => {
    const current = window();
    const isPaused = isPausedByUser || isPausedOnBattery;
    const text = JSON.stringify([progress, isPaused, attention, description]);
    if (shown?.window === current && shown?.text === text) return;
    shown = { window: current, text };
    const mode = attention > 0 ? 'error' : isPaused ? 'paused' : 'normal';
    current?.setProgressBar(progress ?? -1, { mode: progress === null ? 'none' : mode });
    if (platform === 'win32')
      current?.setOverlayIcon(attention > 0 ? attentionIcon() : null, attention > 0 ? description : '');
    else if (platform === 'darwin') app.dock?.setBadge(attention > 0 ? String(attention) : '');
    else app.setBadgeCount(attention);
  };
}
