import type { App } from 'electron';
import { spawn } from 'node:child_process';

type RelaunchedApp = Pick<App, 'relaunch' | 'releaseSingleInstanceLock'> & {
  once(event: 'quit', listener: () => void): unknown;
};

interface Restarted {
  /** As in `process.platform`. */
  readonly platform: NodeJS.Platform;
  /** See `findProgramFile`. */
  readonly file: string | null;
  readonly args: readonly string[];
}

/**
 * Starts Timbre again once it has ended. For an AppImage, Electron's helper would wait for that in what is mounted, and unmounted
 * by then (https://github.com/electron-userland/electron-builder/issues/1727): it is started as the last act of this process.
 */
export function relaunch(app: RelaunchedApp, { platform, file, args }: Restarted): void {
  if (file === null || platform !== 'linux') {
    app.relaunch({ args: [...args], ...(file !== null && { execPath: file }) });
    return;
  }
  app.once('quit', () => {
    app.releaseSingleInstanceLock();
    // In the root folder: one in the mount would keep it there.
    spawn(file, args, { cwd: '/', detached: true, stdio: 'ignore' }).unref();
  });
}
