// The app for the integration tests: handles a few channels and addresses, and records events.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, ipcMain, protocol, utilityProcess } from 'electron';
import { answerRequest, type SeenRequest } from './answers.mts';

export interface Fixture {
  /** Recorded events, in order. */
  readonly events: string[];
  readonly requests: SeenRequest[];
  readonly opened: Electron.HandlerDetails[];
  readonly windows: Record<string, BrowserWindow>;
  /** Number of streams cancelled by their reader. */
  cancelled: number;
  /** Whether navigations of the pages are prevented. */
  isBlocking: boolean;
  make(tag: string, options?: Electron.BrowserWindowConstructorOptions, url?: string): BrowserWindow;
}

declare global {
  var fixture: Fixture;
}

const record = (event: string): void => {
  fixture.events.push(event);
  const trace = process.env['FIXTURE_TRACE'];
  if (trace) appendFileSync(trace, `${event}\n`);
};

globalThis.fixture = { events: [], requests: [], opened: [], windows: {}, cancelled: 0, isBlocking: false, make };

for (const name of ['will-finish-launching', 'ready', 'before-quit', 'will-quit'] as const) {
  app.on(name as 'ready', () => record(`app ${name}`));
}
app.on('quit', (_event, code) => record(`app quit ${code}`));
app.on('browser-window-created', () => record('app browser-window-created'));
app.on('web-contents-created', () => record('app web-contents-created'));
if (process.env['FIXTURE_STAYS']) app.on('window-all-closed', () => record('app window-all-closed'));
if (process.env['FIXTURE_LISTENS']) process.once('SIGTERM', () => record('app SIGTERM'));
if (process.env['FIXTURE_FAILS']) {
  process.on('SIGUSR2', () => {
    throw new Error('nobody caught this');
  });
}
if (process.env['FIXTURE_CHILD'])
  void app.whenReady().then(() => utilityProcess.fork(join(app.getAppPath(), 'child.mts')));
if (process.env['FIXTURE_PORT']) app.commandLine.appendSwitch('remote-debugging-port', process.env['FIXTURE_PORT']);

if (!app.requestSingleInstanceLock({ from: 'fixture' })) {
  console.log('refused');
  app.quit();
} else {
  app.on('second-instance', (_event, argv, cwd, data) =>
    record(`app second-instance ${JSON.stringify({ last: argv.at(-1), cwd, data })}`),
  );
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, stream: true, supportFetchAPI: true } },
  ]);
  void app.whenReady().then(start);
  record('main module done');
}

function start(): void {
  record('app whenReady');
  protocol.handle('app', (request) => answerRequest(request, app.getAppPath(), fixture));
  ipcMain.handle('echo', (_event, value: unknown) => value);
  ipcMain.handle('throw-error', () => {
    throw new TypeError('bad thing');
  });
  ipcMain.handle('throw-string', () => {
    // Tests what happens to a thrown string.
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw 'just text';
  });
  ipcMain.handle('give-function', () => () => 1);
  ipcMain.handle('kinds', (_event, ...values: unknown[]) =>
    values.map((value) => Object.prototype.toString.call(value).slice(8, -1)),
  );
  ipcMain.handle('sender', ({ sender, senderFrame }) => ({
    url: senderFrame?.url,
    origin: senderFrame?.origin,
    top: senderFrame?.top?.url,
    parent: senderFrame?.parent?.url ?? null,
    isMainFrame: senderFrame === sender.mainFrame,
  }));
  ipcMain.on('note', (_event, text: string) => record(`note ${text}`));
  make('main');
}

function make(
  tag: string,
  options: Electron.BrowserWindowConstructorOptions = {},
  url = 'app://timbre/',
): BrowserWindow {
  const preload = join(app.getAppPath(), 'preload.cjs');
  const window = new BrowserWindow({
    width: 700,
    height: 500,
    show: false,
    ...options,
    webPreferences: { preload, ...options.webPreferences },
  });
  fixture.windows[tag] = window;
  const { webContents } = window;
  for (const name of [
    ...['ready-to-show', 'show', 'hide', 'focus', 'blur', 'minimize', 'restore', 'maximize', 'unmaximize', 'close'],
    ...['closed', 'resize', 'resized', 'move'],
  ]) {
    window.on(name as 'closed', () => record(`${tag} ${name}`));
  }
  for (const name of [
    ...['did-start-loading', 'did-stop-loading', 'did-finish-load', 'dom-ready', 'did-navigate', 'destroyed'],
    ...['did-navigate-in-page', 'did-fail-load', 'render-process-gone'],
  ]) {
    webContents.on(name as 'destroyed', () => record(`${tag} contents ${name}`));
  }
  for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
    webContents.on(name as 'will-navigate', (event) => {
      record(`${tag} contents ${name} ${event.url}`);
      if (fixture.isBlocking) event.preventDefault();
    });
  }
  webContents.setWindowOpenHandler((details) => {
    fixture.opened.push(details);
    return { action: 'deny' };
  });
  window.on('ready-to-show', () => window.show());
  void window.loadURL(url).catch((error: unknown) => record(`${tag} load failed: ${String(error)}`));
  return window;
}
