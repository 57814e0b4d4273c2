import type { App } from 'electron';
import { spawn } from 'node:child_process';

type RelaunchedApp = Pick<App, 'relaunch' | 'releaseSingleInstanceLock'>;

interface Restarted {
  /** As in `process.platform`. */
  readonly platform: NodeJS.Platform;
  /** See `findProgramFile`. */
  readonly file: string | null;
  readonly args: readonly string[];
}

/**
 * Starts Timbre again, as the last act of this process. Electron's helper waits for its end; for an AppImage it would do so in what is
 * mounted, and unmounted by then (https://github.com/electron-userland/electron-builder/issues/1727).
 */
export function relaunch(app: RelaunchedApp, { platform, file, args }: Restarted): void {
  if (file === null || platform !== 'linux') {
    app.relaunch({ args: [...args], ...(file !== null && { execPath: file }) });
    return;
  }
  app.releaseSingleInstanceLock();
  // In the root folder: one in the mount would keep it there.
  spawn(file, args, { cwd: '/', detached: true, stdio: 'ignore' }).unref();
}
