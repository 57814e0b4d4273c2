import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import type { CommandLine } from '../launch/command-line.mts';
import type { AppPackage } from '../launch/entry.mts';
import type { InstanceLock } from '../launch/instance-lock.mts';
import type { LifeCycle } from './app-lifecycle.mts';
import { systemFormatLocale, systemLanguages } from './locale.mts';
import type { Paths } from './app-paths.mts';
import { strict } from '../strict.mts';

export interface AppDeps {
  readonly events: EventEmitter;
  readonly appPackage: AppPackage;
  readonly name: { current: string };
  readonly paths: Paths;
  readonly commandLine: CommandLine;
  readonly lock: InstanceLock;
  readonly lifeCycle: LifeCycle;
  readonly whenReady: Promise<void>;
  readonly isReady: () => boolean;
  /** Brings a window of the app to the front, if there is one. */
  readonly focus: () => void;
}

/** Composes Electron's `app` from its parts. Path names are plain strings, because they are checked at run time. */
export function createApp(deps: AppDeps): Electron.App {
  const { events, appPackage, name, paths, commandLine, lock, lifeCycle, whenReady, isReady, focus } = deps;
  const languages = systemLanguages(process.env);

  const members = {
    enableSandbox: () => undefined,
    getPath: (of: string) => paths.get(of),
    setPath: (of: string, path: string) => paths.set(of, path),
    getAppPath: () => appPackage.directory,
    getVersion: () => appPackage.version,
    getName: () => name.current,
    setName: (to: string) => void (name.current = to),
    isPackaged: false,
    isReady,
    whenReady: () => whenReady,
    requestSingleInstanceLock: (data?: object) => lock.request(data),
    hasSingleInstanceLock: () => lock.isHeld(),
    releaseSingleInstanceLock: () => lock.release(),
    quit: () => lifeCycle.quit(),
    exit: (code = 0) => lifeCycle.exit(code),
    // As in Electron, the new instance starts after this one has ended.
    relaunch: ({ args = process.argv.slice(1) } = {}) =>
      void process.once('exit', () => {
        spawn(process.execPath, [...process.execArgv, ...args], {
          detached: true,
          stdio: 'ignore',
        }).unref();
      }),
    focus,
    setAppUserModelId: () => undefined,
    // No taskbar shows it.
    setBadgeCount: () => false,
    setAboutPanelOptions: () => undefined,
    getLocale: () => languages[0] ?? 'en-US',
    getPreferredSystemLanguages: () => [...languages],
    getSystemLocale: () => systemFormatLocale(process.env),
    commandLine: strict('app.commandLine', commandLine) as unknown as Electron.CommandLine,
  } satisfies Partial<Electron.App>;

  const app = Object.assign(events, members);
  Object.defineProperty(app, 'name', { get: () => name.current, set: (to: string) => void (name.current = to) });
  return strict('app', app) as unknown as Electron.App;
}
