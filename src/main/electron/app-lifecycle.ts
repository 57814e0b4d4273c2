import { type App, app, protocol } from 'electron';
import { keepPrivate } from '../core/data-folder.ts';
import { hiddenSwitch } from './login-item.ts';
import { registerAppScheme } from './page-security.ts';

/** The composed program, as the app's events see it. */
interface Program {
  /** Brings the window to the front, or opens it again. */
  show(): void;
  /** True if the program continues without a window. */
  isInBackground(): boolean;
  /** Tells the page about a bug, so that it can offer a restart. */
  reportDefect(): void;
  stop(): Promise<void>;
}

/** Must run before the app is ready: Chromium then starts with the sandbox, our scheme and our private data folder. */
export function configureApp(dataFolder: string): void {
  app.enableSandbox();
  // Before Chromium or Electron write a first file there.
  keepPrivate(dataFolder);
  app.setPath('userData', dataFolder);
  registerAppScheme(protocol);
  const devToolsPort = process.env['TIMBRE_CDP_PORT'];
  if (devToolsPort && !app.isPackaged) app.commandLine.appendSwitch('remote-debugging-port', devToolsPort);
}

export function restartApp(): void {
  app.relaunch();
  app.quit();
}

/** Composes the program once the app is ready, unless another instance runs, which then shows its window. */
export function runApp(compose: () => Program, onUnexpected: (where: string, error: unknown) => void): void {
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  void app.whenReady().then(() => {
    const program = compose();
    // Electron would show a dialog of its own, with a stack trace. Timbre continues and offers a restart.
    for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(name, (error: unknown) => {
        onUnexpected('main', error);
        program.reportDefect();
      });
    }
    app.on('second-instance', (_event, argv) => {
      // Another start at login has nothing to show.
      if (!argv.includes(hiddenSwitch)) program.show();
    });
    app.on('activate', program.show);
    app.on('window-all-closed', () => {
      if (process.platform !== 'darwin' && !program.isInBackground()) app.quit();
    });
    stopBeforeQuit(app, program.stop, (error) => onUnexpected('quit', error));
  });
}

/** Delays quitting until `stop` has finished, once: no child process or partial file may outlive the app. */
function stopBeforeQuit(app: App, stop: () => Promise<void>, onError: (error: unknown) => void): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  app.on('will-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    // A second Ctrl+Q must not cut the first short.
    if (state === 'stopping') return;
    state = 'stopping';
    void stop()
      .catch(onError)
      .finally(() => {
        state = 'stopped';
        app.quit();
      });
  });
}
