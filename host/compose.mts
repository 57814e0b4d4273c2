// Composition root of the host: one Chromium, one app, and their shared state. index.mts exports what Electron exports.
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Electron from 'electron';
import { createApp } from './electron-api/app.mts';
import { createBrowser, exitChromiumDied, exitNoChromium } from './chromium/browser.mts';
import { findChromium } from './chromium/find-chromium.mts';
import { createClipboard } from './electron-api/clipboard.mts';
import { createCodec } from './chromium/codec.mts';
import { createCommandLine } from './launch/command-line.mts';
import { readAppPackage } from './launch/entry.mts';
import { createEvent } from './electron-api/event.mts';
import { createInstanceLock } from './launch/instance-lock.mts';
import { createIpc } from './electron-api/ipc-main.mts';
import { createLifeCycle } from './electron-api/app-lifecycle.mts';
import { forgetNotifications } from './electron-api/notification.mts';
import { createPaths } from './electron-api/app-paths.mts';
import { createPowerMonitor } from './electron-api/power-monitor.mts';
import { createPowerSaveBlocker } from './electron-api/power-save-blocker.mts';
import { createProtocol } from './electron-api/protocol.mts';
import { createSchemeServer } from './chromium/scheme.mts';
import { createSchemeMap } from './chromium/scheme-url.mts';
import { createScreen, screenSize } from './electron-api/screen.mts';
import { createSession } from './electron-api/session.mts';
import { strict } from './strict.mts';
import { provideSurroundings } from './launch/surroundings.mts';
import { createTargets } from './chromium/targets.mts';
import { createTheme } from './electron-api/native-theme.mts';
import { createUtility } from './electron-api/utility-process.mts';
import { contents } from './electron-api/web-contents.mts';
import { BrowserWindow, focus, windows } from './electron-api/browser-window.mts';

let ready = false;
const isReady = () => ready;
const { promise: whenReady, resolve: becomeReady } = Promise.withResolvers<void>();
const events = new EventEmitter();

const appPackage = readAppPackage(process.argv[1] ?? process.cwd());
const name = { current: appPackage.name };
const commandLine = createCommandLine(process.argv.slice(2), isReady);
const paths = createPaths({
  appName: () => name.current,
  userDataSwitch: commandLine.getSwitchValue('user-data-dir'),
  exe: fileURLToPath(new URL('./electron', import.meta.url)),
  env: process.env,
});
const lock = createInstanceLock({
  userData: () => paths.get('userData'),
  async onSecond({ argv, cwd, data }) {
    await whenReady;
    events.emit('second-instance', createEvent(), argv, cwd, data);
  },
  reportError: (why) => void process.stderr.write(`host: ${why}\n`),
});

const key = `host${randomBytes(8).toString('hex')}`;
const codec = createCodec();
const ipc = createIpc(codec, key);
const schemeMap = createSchemeMap();
const schemeServer = createSchemeServer(schemeMap);
const hasDisplay = Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
const targets = createTargets(hasDisplay ? (url) => browser.openAppWindow(url) : undefined);
const utility = createUtility(isReady);
const theme = createTheme(() => {
  for (const each of contents.values()) void each.applyTheme();
});

const sessionHost = createSession(() => browser.updatePermissions());
const browser = createBrowser({
  granted: sessionHost.granted,
  // Inside the user data: localStorage persists, and deleting the user data removes it.
  profile: () => join(paths.get('sessionData'), 'Host Profile'),
  debuggingPort() {
    const port = commandLine.getSwitchValue('remote-debugging-port');
    if (port !== '') return Number(port);
    return process.env['HOST_TEST'] ? 0 : undefined;
  },
  hasDisplay,
  schemeMap,
  schemeServer,
  onPage: targets.announce,
  onPageCrashed(crash) {
    for (const each of contents.values()) if (each.targetId === crash.targetId) each.onCrash(crash);
  },
  onDied(log) {
    if (lifeCycle.isOver()) return;
    process.stderr.write(`host: Chromium ended unexpectedly\n${log}\n`);
    lifeCycle.exit(exitChromiumDied);
  },
});

const lifeCycle = createLifeCycle({
  events,
  windows: BrowserWindow.getAllWindows,
  stop: () => browser.stop(),
  exit: (code) => process.exit(code),
});

const frontWindow = (): BrowserWindow | undefined => focus.current ?? [...windows.values()].at(-1);

/** The singleton modules; see Electron's documentation for each. */
export const app = createApp({
  events,
  appPackage,
  name,
  paths,
  commandLine,
  lock,
  lifeCycle,
  whenReady,
  isReady,
  focus: () => frontWindow()?.focus(),
});
export const { session } = sessionHost;
export const screen = createScreen();
export const protocol = createProtocol(schemeMap, schemeServer, isReady);
export const clipboard = createClipboard(async (script) => frontWindow()?.webContents.executeJavaScript(script));
const power = createPowerMonitor();
export const { powerMonitor } = power;
const blockers = createPowerSaveBlocker(() => name.current);
export const { powerSaveBlocker } = blockers;
export const { ipcMain } = ipc;
export const { nativeTheme } = theme;
export const { utilityProcess } = utility;
export const webContents = strict('webContents', {
  getAllWebContents: () => [...contents.values()],
  fromId: (id: number) => contents.get(id),
  fromDevToolsTargetId: (id: string) => [...contents.values()].find(({ targetId }) => targetId === id),
  getFocusedWebContents: () => focus.current?.webContents ?? null,
}) as unknown as typeof Electron.webContents;

provideSurroundings({
  app: events,
  isReady,
  appName: () => name.current,
  browser,
  targets,
  lifeCycle,
  ipc,
  codec,
  key,
  schemeMap,
  schemeServer,
  themeSource: theme.source,
  session: () => session.defaultSession,
  screenSize,
});

/**
 * Starts Chromium and emits `ready`. Called once, after the app's main module has run. Does nothing if the app has
 * already quit, as a second instance does.
 */
export function begin(): void {
  if (lifeCycle.isQuitting() || lifeCycle.isOver()) return;
  const chromium = findChromium(process.env);
  if ('problem' in chromium) {
    process.stderr.write(`host: ${chromium.problem}\n`);
    process.exit(exitNoChromium);
  }
  mkdirSync(paths.get('userData'), { recursive: true, mode: 0o700 });
  // Chromium starts in parallel with the app; the first window waits for it.
  browser.start().catch((error: unknown) => {
    if (lifeCycle.isOver()) return;
    process.stderr.write(`host: Chromium did not start: ${String(error)}\n`);
    lifeCycle.exit(exitChromiumDied);
  });
  events.emit('will-finish-launching');
  ready = true;
  events.emit('ready', createEvent(), {});
  becomeReady();
}

// Like Electron, the process never exits by itself, even when the event loop is empty.
setInterval(() => undefined, 1 << 30);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A second signal ends the host at once.
    if (lifeCycle.isQuitting()) process.exit(128 + constants.signals[signal]);
    // As in Electron, a listener in the app replaces the default action.
    if (process.listenerCount(signal) === 1) lifeCycle.quit();
  });
}
process.on('exit', () => {
  browser.kill();
  utility.killAll();
  blockers.stopAll();
  power.stop();
  forgetNotifications();
});
