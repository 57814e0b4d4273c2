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
 * Shows the progress of the batch, and a badge while the user is needed, on the taskbar or the Dock.
 * Returns the function to call when the activity changes. Linux shows both only on panels with the
 * LauncherEntry API, under the name of `desktopName` in package.json.
 */
export function createTaskbar({ app, platform, window, attentionIcon }: Dependencies) {
  /** Only changes are sent: macOS animates, and Linux sends a message, each time. */
  let shown: { readonly window: unknown; readonly text: string } | undefined;

  return ({ progress, isPausedByUser, needsAttention }: Activity, description: string): void => {
    const current = window();
    const text = JSON.stringify([progress, isPausedByUser, needsAttention, description]);
    if (shown?.window === current && shown?.text === text) return;
    shown = { window: current, text };
    const mode = needsAttention ? 'error' : isPausedByUser ? 'paused' : 'normal';
    current?.setProgressBar(progress ?? -1, { mode: progress === null ? 'none' : mode });
    if (platform === 'win32')
      current?.setOverlayIcon(needsAttention ? attentionIcon() : null, needsAttention ? description : '');
    else if (platform === 'darwin') app.dock?.setBadge(needsAttention ? '!' : '');
    else app.setBadgeCount(needsAttention ? 1 : 0);
  };
}
